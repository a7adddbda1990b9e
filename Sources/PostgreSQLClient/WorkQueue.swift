import Foundation

/// The queue of a pool's work, first in, first out, and the state that its threads share.
final class WorkQueue: @unchecked Sendable {
  /// A piece of work. Its argument returns the thread's connection or throws the reason why there is none.
  /// The caller of the pool has its result when the work returns.
  typealias Work = (() throws(PostgreSQLError) -> PostgreSQLConnection) -> Void

  private let address: PostgreSQLAddress
  private let limit: Int
  private let label: String

  // The lock protects all properties below.
  private let lock = NSCondition()
  private var waiting: [Work?] = []
  private var first = 0
  private var threads = 0
  private var idle = 0
  private var lost = 0
  private var isClosed = false
  private var whenEnded: [@Sendable () -> Void] = []
  /// The error of the last attempt to open a connection, and the time before which no other is made.
  private var failure: (error: PostgreSQLError, until: ContinuousClock.Instant, delay: Duration)?

  init(_ address: PostgreSQLAddress, connections: Int, label: String) {
    self.address = address
    limit = connections
    self.label = label
  }

  func add(_ work: @escaping Work) {
    lock.lock()
    guard !isClosed else {
      lock.unlock()
      work { () throws(PostgreSQLError) in
        throw PostgreSQLError(code: "08003", message: "The pool is closed.")
      }
      return
    }
    waiting.append(work)
    if idle >= waiting.count - first || threads == limit {
      lock.signal()
    } else {
      threads += 1
      start("\(label) \(threads)")
    }
    lock.unlock()
  }

  /// - Parameter then: called when the last thread has ended.
  func close(then: (@Sendable () -> Void)?) {
    lock.lock()
    isClosed = true
    let hasEnded = threads == 0
    if let then, !hasEnded { whenEnded.append(then) }
    lock.broadcast()
    lock.unlock()
    if hasEnded { then?() }
  }

  private func start(_ name: String) {
    let thread = Thread { self.work() }
    thread.name = name
    thread.stackSize = 1 << 20
    thread.start()
  }

  private func work() {
    var connection: PostgreSQLConnection?
    while let work = next() {
      if connection?.hasBeenClosedByServer == true {
        noteLoss()
        connection = nil
      }
      work { () throws(PostgreSQLError) in
        if let connection { return connection }
        let opened = try open()
        connection = opened
        return opened
      }
      connection?.rollBack()
      if connection?.isLost == true {
        noteLoss()
        connection = nil
      }
    }
    connection?.close()
    end()
  }

  private func noteLoss() {
    lock.lock()
    lost += 1
    lock.unlock()
  }

  /// Idle threads, including those not started yet, and connections lost.
  var use: (free: Int, lost: Int) {
    lock.lock()
    defer { lock.unlock() }
    return (max(0, limit - threads + idle - (waiting.count - first)), lost)
  }

  /// Takes the next work. Returns nil when the pool is closed and no work is left.
  private func next() -> Work? {
    lock.lock()
    defer { lock.unlock() }
    while first == waiting.count {
      if isClosed { return nil }
      idle += 1
      lock.wait()
      idle -= 1
    }
    let work = waiting[first]
    waiting[first] = nil
    first += 1
    if first == waiting.count || first > 1000 {
      waiting.removeFirst(first)
      first = 0
    }
    return work
  }

  private func end() {
    lock.lock()
    threads -= 1
    let told = threads == 0 ? whenEnded : []
    if threads == 0 { whenEnded = [] }
    lock.unlock()
    for tell in told { tell() }
  }

  private static let shortestDelay = Duration.milliseconds(50)
  private static let longestDelay = Duration.seconds(1)

  private func open() throws(PostgreSQLError) -> PostgreSQLConnection {
    lock.lock()
    let known = failure
    lock.unlock()
    if let known, ContinuousClock.now < known.until { throw known.error }
    do {
      let connection = try PostgreSQLConnection(address)
      lock.lock()
      failure = nil
      lock.unlock()
      return connection
    } catch {
      lock.lock()
      let delay = failure.map { min($0.delay * 2, Self.longestDelay) } ?? Self.shortestDelay
      failure = (error, .now + delay, delay)
      lock.unlock()
      throw error
    }
  }
}
