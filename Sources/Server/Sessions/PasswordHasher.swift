import AlarmService
import CSodium
import NIOConcurrencyHelpers
import NIOPosix

/// Hashes passwords by argon2id (RFC 9106), in the format of libsodium's `crypto_pwhash_str`.
///
/// Each hash takes tens of milliseconds of a core and megabytes of memory, so at most two run at a time, on
/// threads of their own, and at most `maximumWaiting` run or wait together.
public final class PasswordHasher: Sendable {
  /// Work factors.
  public struct Cost: Equatable, Sendable {
    public let passes: UInt64
    public let memoryBytes: Int

    /// libsodium's "interactive": 2 passes over 64 MiB, about 150 ms on the project's machine.
    public static let interactive = Cost(passes: 2, memoryBytes: 64 << 20)
    /// For tests only.
    public static let least = Cost(passes: 1, memoryBytes: 8192)
  }

  public enum Failure: Error, Equatable {
    /// `maximumWaiting` hashes are running or waiting already.
    case busy
    /// The memory could not be allocated.
    case outOfMemory
  }

  static let threads = 2
  static let maximumWaiting = 32

  private let cost: Cost
  private let pool: NIOThreadPool
  private let waiting = NIOLockedValueBox(0)
  /// The hash compared against if there is no such account, so that the response time does not reveal it.
  private let decoy: String

  public init(cost: Cost = .interactive) throws {
    guard sodium_init() >= 0 else { throw Failure.outOfMemory }
    self.cost = cost
    decoy = try Self.hash(Array("nobody's password".utf8), cost)
    pool = NIOThreadPool(numberOfThreads: Self.threads)
    pool.start()
  }

  deinit { pool.shutdownGracefully { _ in } }

  public func hash(_ password: String) async throws -> String {
    let (bytes, cost) = (Array(password.utf8), cost)
    return try await work { try Self.hash(bytes, cost) }
  }

  /// True if the password matches `hash`; a nil hash, for an account that does not exist, takes as long.
  public func verify(_ password: String, against hash: String?) async throws -> Bool {
    let bytes = Array(password.utf8)
    let stored = hash ?? decoy
    let matches = try await work { Self.verify(bytes, stored) }
    return matches && hash != nil
  }

  /// True if the hash was made with other work factors than the current ones.
  public func isOutdated(_ hash: String) -> Bool {
    crypto_pwhash_str_needs_rehash(hash, cost.passes, cost.memoryBytes) != 0
  }

  private func work<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
  {
    let admitted = waiting.withLockedValue { count in
      guard count < Self.maximumWaiting else { return false }
      count += 1
      return true
    }
    guard admitted else { throw Failure.busy }
    defer { waiting.withLockedValue { $0 -= 1 } }
    return try await pool.runIfActive(body)
  }

  private static func hash(_ password: [UInt8], _ cost: Cost) throws -> String {
    var out = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let status = withTerminated(password) { bytes, count in
      // argon2id is libsodium's default since 1.0.15.
      crypto_pwhash_str(&out, bytes, count, cost.passes, cost.memoryBytes)
    }
    guard status == 0 else { throw Failure.outOfMemory }
    return String(decoding: out.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func verify(_ password: [UInt8], _ hash: String) -> Bool {
    withTerminated(password) { crypto_pwhash_str_verify(hash, $0, $1) } == 0
  }

  /// The bytes with a zero appended, so that even an empty array has an address.
  private static func withTerminated(
    _ bytes: [UInt8], _ body: (UnsafePointer<CChar>, UInt64) -> Int32
  ) -> Int32 {
    (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
      body($0.baseAddress!, UInt64(bytes.count))
    }
  }
}
