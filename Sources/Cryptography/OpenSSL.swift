import COpenSSL

/// Helpers for calls of OpenSSL.
enum OpenSSL {
  /// Unwraps a result that is nil only without memory or if parts of OpenSSL are missing; traps then.
  static func made<Pointer>(_ pointer: Pointer?) -> Pointer {
    guard let pointer else { preconditionFailure("OpenSSL: \(message())") }
    return pointer
  }

  /// Traps unless a call returns 1, which means success.
  static func demand(_ result: Int32) {
    precondition(result == 1, "OpenSSL: \(message())")
  }

  /// True if a call on untrusted bytes succeeded. On failure, clears OpenSSL's error queue, which a later
  /// call of this thread, perhaps by libpq, would take for its own.
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

  /// - Parameter count: at least the length of the number; it is padded with leading zeros.
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
