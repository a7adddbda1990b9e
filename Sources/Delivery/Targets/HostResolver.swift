import AlarmEngine
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Looks up the addresses of hosts.
package struct HostResolver: Sendable {
  private let lookUp: @Sendable (String) async throws -> [NetworkAddress]

  /// - Parameter lookUp: returns a host's addresses, the preferred first; empty if there is no such host.
  init(_ lookUp: @escaping @Sendable (String) async throws -> [NetworkAddress]) { self.lookUp = lookUp }

  /// The system's resolver, on threads of its own. A slow name blocks only one thread, however many callers
  /// wait for it.
  package static let system = HostResolver { host in try await SystemLookUps.shared.addresses(of: host) }

  /// - Parameter host: a name, or an address, also in the brackets of a URL.
  package func addresses(of host: String, within limit: TimeSpan) async throws(DeliveryFailure)
    -> [NetworkAddress]
  {
    if let literal = NetworkAddress(literal: host) { return [literal] }
    let lookUp = lookUp
    let found: [NetworkAddress]?
    do {
      found = try await withThrowingTaskGroup(of: [NetworkAddress]?.self) { group in
        group.addTask { try await lookUp(host) }
        group.addTask {
          try await Task.sleep(for: .milliseconds(limit.milliseconds))
          return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
    } catch is CancellationError { throw .cancelled } catch { throw .unreachable("\(error)".excerpt()) }
    guard let found else { throw .timedOut(during: "looking up the host") }
    return found
  }
}

/// Calls `getaddrinfo`, which blocks, on its own threads. Simultaneous requests for one name share the
/// answer.
private final class SystemLookUps: Sendable {
  static let shared = SystemLookUps()
  private static let threads = 16

  private typealias Waiting = CheckedContinuation<[NetworkAddress], any Error>
  private struct Book {
    var next = 0
    /// The names that threads are looking up.
    var running: Set<String> = []
    var waiting: [String: [Int: Waiting]] = [:]
  }
  private let pool = NIOThreadPool(numberOfThreads: threads)
  private let book = NIOLockedValueBox(Book())

  private init() { pool.start() }

  func addresses(of host: String) async throws -> [NetworkAddress] {
    let number = book.withLockedValue { book in
      book.next += 1
      return book.next
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isFirst = book.withLockedValue { book in
          book.waiting[host, default: [:]][number] = continuation
          return book.running.insert(host).inserted
        }
        if isFirst { pool.submit { [self] _ in answer(host, Result { try Self.lookUp(host) }) } }
        if Task.isCancelled { giveUp(host, number) }
      }
    } onCancel: {
      giveUp(host, number)
    }
  }

  private func answer(_ host: String, _ result: Result<[NetworkAddress], any Error>) {
    let all = book.withLockedValue { book in
      book.running.remove(host)
      return book.waiting.removeValue(forKey: host) ?? [:]
    }
    for continuation in all.values { continuation.resume(with: result) }
  }

  private func giveUp(_ host: String, _ number: Int) {
    let continuation = book.withLockedValue { $0.waiting[host]?.removeValue(forKey: number) }
    continuation?.resume(throwing: CancellationError())
  }

  private static func lookUp(_ host: String) throws -> [NetworkAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_flags = AI_ADDRCONFIG
    #if os(Linux)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, nil, &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard status == 0 else {
      if status == EAI_NONAME { return [] }
      throw LookUpFailure(description: String(cString: gai_strerror(status)))
    }
    var found: [NetworkAddress] = []
    var entry = list
    while let current = entry {
      if let address = NetworkAddress(current.pointee.ai_addr), !found.contains(address) {
        found.append(address)
      }
      entry = current.pointee.ai_next
    }
    return found
  }

  private struct LookUpFailure: Error, CustomStringConvertible { let description: String }
}
