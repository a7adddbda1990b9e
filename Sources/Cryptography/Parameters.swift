import COpenSSL

/// Parameters by name, as OpenSSL 3 takes them.
struct Parameters: ~Copyable {
  private let builder: OpaquePointer
  /// The builder only points at names and values until all are given.
  private var held: [UnsafeMutableBufferPointer<UInt8>] = []
  private var numbers: [OpaquePointer] = []

  private init() { builder = OpenSSL.made(OSSL_PARAM_BLD_new()) }

  deinit {
    OSSL_PARAM_BLD_free(builder)
    for bytes in held {
      OPENSSL_cleanse(bytes.baseAddress, bytes.count)
      bytes.deallocate()
    }
    for number in numbers { BN_clear_free(number) }
  }

  mutating func add(_ name: String, text: String) {
    let (name, text) = (hold(name), hold(text))
    OpenSSL.demand(OSSL_PARAM_BLD_push_utf8_string(builder, name, text, 0))
  }

  mutating func add(_ name: String, _ bytes: [UInt8]) {
    let name = hold(name)
    OpenSSL.demand(OSSL_PARAM_BLD_push_octet_string(builder, name, hold(bytes), bytes.count))
  }

  /// - Parameter number: its bytes, the highest first.
  mutating func add(_ name: String, number: [UInt8]) {
    let value = OpenSSL.made(BN_bin2bn(number, Int32(number.count), nil))
    numbers.append(value)
    OpenSSL.demand(OSSL_PARAM_BLD_push_BN(builder, hold(name), value))
  }

  private mutating func hold(_ bytes: some Collection<UInt8>) -> UnsafeMutablePointer<UInt8>? {
    // An empty value needs an address too.
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + 1)
    _ = buffer.initialize(from: Array(bytes) + [0])
    held.append(buffer)
    return buffer.baseAddress
  }

  private mutating func hold(_ text: String) -> UnsafePointer<CChar> {
    UnsafeRawPointer(OpenSSL.made(hold(text.utf8))).assumingMemoryBound(to: CChar.self)
  }

  static func with<Result>(
    _ fill: (inout Parameters) -> Void, use: (UnsafeMutablePointer<OSSL_PARAM>) -> Result
  ) -> Result {
    var all = Parameters()
    fill(&all)
    let parameters = OpenSSL.made(OSSL_PARAM_BLD_to_param(all.builder))
    defer { OSSL_PARAM_free(parameters) }
    return use(parameters)
  }
}
