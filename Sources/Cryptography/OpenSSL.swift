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

  /// - Parameter count: as many as the number has, or more: zeros stand before it then.
  static func bytes(of number: OpaquePointer?, count: Int) -> [UInt8] {
    bytes(count) {
      precondition(BN_bn2binpad(number, $0, Int32(count)) == count, "a number has \(count) bytes or fewer")
    }
  }

  static func withBytes<Result>(
    _ bytes: some Sequence<UInt8>, _ use: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.withContiguousStorageIfAvailable(use) ?? Array(bytes).withUnsafeBufferPointer(use)
  }
}
