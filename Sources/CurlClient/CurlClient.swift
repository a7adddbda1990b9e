import CCurl
import Foundation
import Synchronization

/// Runs exchanges with other servers by libcurl, all of them on one thread, and keeps connections for the next ones.
///
/// A mail keeps the thread waiting while the other side takes it over, so each has a client of its own.
/// Requests that differ in trust or in the addresses they may use need clients of their own: a connection is used again
/// for the same host and port, whoever opened it. Proxies that the environment names are not used.
package final class CurlClient: Sendable {
  private let worker = CurlWorker()

  package init() {}
  deinit { worker.shutDown() }

  /// - Throws: `CurlFailure`, also where the client is shut down or the task is cancelled.
  package func run(_ request: CurlRequest) async throws(CurlFailure) -> CurlAnswer {
    let transfer = CurlTransfer(request)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in worker.start(transfer, continuation) }
    } onCancel: {
      worker.cancel(transfer)
    }
    return try result.get()
  }

  /// Ends what runs, and the thread. Later requests fail.
  package func shutDown() { worker.shutDown() }
}

/// The thread of a client: only it calls libcurl, but for `curl_multi_wakeup`.
private final class CurlWorker: Sendable {
  typealias Waiting = CheckedContinuation<Result<CurlAnswer, CurlFailure>, Never>

  private struct Inbox {
    var starting: [(CurlTransfer, Waiting)] = []
    var hasThread = false
    var isShut = false
    /// The handle that other threads wake; nil while no thread runs.
    nonisolated(unsafe) var multi: UnsafeMutableRawPointer?
  }
  private let inbox = Mutex(Inbox())

  /// Connections that nobody uses and that are kept.
  private static let mostIdle = 32
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  func start(_ transfer: CurlTransfer, _ waiting: Waiting) {
    let refused = inbox.withLock { inbox -> Bool in
      guard !inbox.isShut, Self.isReady else { return true }
      inbox.starting.append((transfer, waiting))
      if !inbox.hasThread {
        inbox.hasThread = true
        Thread.detachNewThread { [self] in work() }
      }
      if let multi = inbox.multi { curl_multi_wakeup(multi) }
      return false
    }
    if refused { waiting.resume(returning: .failure(CurlFailure(reason: .cancelled, words: "shut down"))) }
  }

  /// The transfer may not have begun yet.
  func cancel(_ transfer: CurlTransfer) {
    transfer.isCancelled.store(true, ordering: .releasing)
    transfer.disconnect()
    inbox.withLock { inbox in
      if let multi = inbox.multi { curl_multi_wakeup(multi) }
    }
  }

  func shutDown() {
    inbox.withLock { inbox in
      inbox.isShut = true
      if let multi = inbox.multi { curl_multi_wakeup(multi) }
    }
  }

  private func work() {
    // A connection that the other side has closed is an error, not the end of the process.
    var broken = sigset_t()
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &broken, nil)
    guard let multi = curl_multi_init() else { return failAll() }
    curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.mostIdle)
    inbox.withLock { $0.multi = multi }
    var running: [ObjectIdentifier: (transfer: CurlTransfer, waiting: Waiting)] = [:]
    func end(_ transfer: CurlTransfer, _ result: Result<CurlAnswer, CurlFailure>) {
      guard let entry = running.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
      transfer.disconnect()
      curl_multi_remove_handle(multi, transfer.handle)
      transfer.release()
      entry.waiting.resume(returning: result)
    }
    while true {
      let (starting, isShut) = inbox.withLock { inbox in
        defer { inbox.starting = [] }
        return (inbox.starting, inbox.isShut)
      }
      for (transfer, waiting) in starting {
        running[ObjectIdentifier(transfer)] = (transfer, waiting)
        if transfer.isCancelled.load(ordering: .acquiring) { continue }
        if transfer.prepare() {
          curl_multi_add_handle(multi, transfer.handle)
        } else {
          end(
            transfer, .failure(CurlFailure(reason: .garbled, words: "a request that libcurl does not take")))
        }
      }
      for (transfer, _) in running.values where isShut || transfer.isCancelled.load(ordering: .acquiring) {
        end(transfer, .failure(CurlFailure(reason: .cancelled, words: "cancelled")))
      }
      if isShut { break }
      var active: Int32 = 0
      curl_multi_perform(multi, &active)
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
        let code = curl_result(message)
        if let entry = running.values.first(where: { $0.transfer.handle == handle }) {
          end(entry.transfer, entry.transfer.result(code))
        }
      }
      let now = ContinuousClock.now
      var wait = Duration.seconds(60)
      for (transfer, _) in running.values {
        guard let observer = transfer.request.observer else { continue }
        let deadline =
          transfer.isConnecting
          ? min(transfer.began + transfer.request.connectLimit, observer.deadline) : observer.deadline
        if observer.isOver {
          end(transfer, .failure(CurlFailure(reason: .givenUp, words: "given up")))
        } else if deadline <= now {
          end(transfer, transfer.result(CURLE_OPERATION_TIMEDOUT))
        } else {
          wait = min(wait, deadline - now)
        }
      }
      let milliseconds = wait / .milliseconds(1)
      curl_multi_poll(multi, nil, 0, Int32(milliseconds.rounded(.up)), nil)
    }
    // Nobody wakes it any more.
    inbox.withLock { $0.multi = nil }
    curl_multi_cleanup(multi)
    failAll()
  }

  /// Fails the requests that arrived after the end.
  private func failAll() {
    let starting = inbox.withLock { inbox in
      inbox.isShut = true
      defer { inbox.starting = [] }
      return inbox.starting
    }
    for (_, waiting) in starting {
      waiting.resume(returning: .failure(CurlFailure(reason: .cancelled, words: "shut down")))
    }
  }
}
