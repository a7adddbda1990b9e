import COpenSSL

/// What every call of OpenSSL needs.
enum OpenSSL {
  /// For what fails only where there is no memory, or OpenSSL's own parts are missing.
  static func made<Pointer>(_ pointer: Pointer?) -> Pointer {
    guard let pointer else { preconditionFailure("OpenSSL: \(message())") }
    return pointer
  }

  /// The same for calls that say 1 where they have done it.
  static func demand(_ result: Int32) {
    precondition(result == 1, "OpenSSL: \(message())")
  }

  /// For what depends on bytes from elsewhere. What OpenSSL notes of a failure would be taken for that of a later call of
  /// this thread, libpq's perhaps.
  static func isDone(_ result: Int32) -> Bool {
    if result != 1 { ERR_clear_error() }
    return result == 1
  }

  private static func message() -> String {
    var text = [CChar](repeating: 0, count: 200)
    ERR_error_string_n(ERR_get_error(), &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func bytes(_ count: Int, _ fill: (UnsafeMutablePointer<UInt8>?) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      fill(buffer.baseAddress)
      initialized = count
    }
  }

  static func withBytes<Result>(
    _ bytes: some Sequence<UInt8>, _ use: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.withContiguousStorageIfAvailable(use) ?? Array(bytes).withUnsafeBufferPointer(use)
  }
}

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
    // Not even of nothing may the address be none.
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
