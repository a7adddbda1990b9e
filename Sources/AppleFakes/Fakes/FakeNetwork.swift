import AlarmEngine
import Foundation
import PhoneSimulator

#if canImport(FoundationNetworking)
  import class FoundationNetworking.HTTPURLResponse
  import struct FoundationNetworking.URLRequest
#endif

/// The network of one phone, the server beyond it, and the transfers that the system carries for an application that does
/// not run.
///
/// A session in the background is at the system's discretion: its transfers begin after ``patience``, wait for the network by
/// themselves, follow redirects, and wake or start the application when they have ended. After a redirect the request is a GET
/// without its `Authorization`, as Apple's is.
@MainActor
public final class FakeNetwork {
  public enum Answer: Hashable, Sendable {
    case status(Int)
    case redirect(to: URL)
    /// The server takes the request and never answers.
    case silence
  }
  public var isReachable = true
  /// Returns the server's answer to a request and its body.
  public var server: (URLRequest, Data) -> Answer = { _, _ in .status(404) }
  /// Seconds that the system delays a transfer in the background.
  public var patience = 600.0
  /// Transfers in the background that have not ended.
  public var carried: Int { transfers.count { $0.outcome == nil } }

  /// Latency in one direction, seconds.
  nonisolated static let travel = 0.3
  /// Seconds between attempts without network.
  private static let again = 60.0

  enum Outcome: Equatable {
    case answered(HTTPURLResponse)
    /// A session in the background does not stop here.
    case redirected(HTTPURLResponse, next: URLRequest)
    case failed(URLError.Code)
  }

  /// A transfer that the system carries out, independently of the process.
  final class Transfer: @unchecked Sendable {
    let number: Int
    let session: String
    let request: URLRequest
    let file: URL
    let description: String?
    let began: Instant
    var outcome: Outcome?
    init(_ number: Int, _ session: String, _ request: URLRequest, _ file: URL, _ description: String?) {
      (self.number, self.session, self.request, self.file) = (number, session, request, file)
      self.description = description
      began = MainActor.assumeIsolated { FakePhone.now }
    }
  }
  private var transfers: [Transfer] = []
  private var number = 0
  /// The sessions of the running process, by identifier.
  private var sessions: [String: WeakSession] = [:]
  private struct WeakSession { weak var session: URLSession? }

  nonisolated init() {}

  /// - Parameter file: nil for a request without a body.
  func answer(_ request: URLRequest, _ file: URL?) -> Outcome {
    guard isReachable else { return .failed(.notConnectedToInternet) }
    guard let url = request.url, let body = file.map({ try? Data(contentsOf: $0) }) ?? Data() else {
      return .failed(.fileDoesNotExist)
    }
    func response(_ status: Int, _ fields: [String: String] = [:]) -> HTTPURLResponse? {
      HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
    }
    switch server(request, body) {
    case .status(let status): return response(status).map(Outcome.answered) ?? .failed(.badServerResponse)
    case .redirect(let next):
      guard let response = response(302, ["Location": next.absoluteString]) else {
        return .failed(.badServerResponse)
      }
      return .redirected(response, next: URLRequest(url: next))
    case .silence: return .failed(.timedOut)
    }
  }

  // MARK: In the background

  func begin(_ session: URLSession, _ id: String) {
    sessions[id] = WeakSession(session: session)
    // Transfers that ended while no process ran.
    session.after(0) { [weak session] in if let session { self.deliver(to: session) } }
  }

  func transfers(of id: String, in session: URLSession) -> [URLSessionTask] {
    transfers.filter { $0.session == id && $0.outcome == nil }.map { URLSessionUploadTask($0, in: session) }
  }

  func carry(_ request: URLRequest, _ file: URL, description: String?, session: String) -> Transfer {
    number += 1
    let transfer = Transfer(number, session, request, file, description)
    transfers.append(transfer)
    FakePhone.after(Phone.current?.isApplicationInForeground ?? false ? 1 : patience) { [weak self] in
      self?.attempt(transfer)
    }
    return transfer
  }

  func cancel(_ transfer: Transfer) { end(transfer, .failed(.cancelled)) }

  private func attempt(_ transfer: Transfer) {
    guard transfer.outcome == nil else { return }
    var outcome = Phone.current?.isOn ?? false ? answer(transfer.request, transfer.file) : .failed(.timedOut)
    if case .redirected(_, let next) = outcome { outcome = answer(next, nil) }
    let isWaiting =
      outcome == .failed(.notConnectedToInternet) || outcome == .failed(.timedOut)
    guard isWaiting else { return end(transfer, outcome) }
    guard (FakePhone.now - transfer.began).seconds < 7 * 86_400 else {
      return end(transfer, .failed(.timedOut))
    }
    FakePhone.after(Self.again) { [weak self] in self?.attempt(transfer) }
  }

  private func end(_ transfer: Transfer, _ outcome: Outcome) {
    guard transfer.outcome == nil else { return }
    transfer.outcome = outcome
    let id = transfer.session
    FakePhone.after(0) { [weak self] in
      let isThere = self?.session(id) != nil
      Phone.current?.wakeForTask { MainActor.assumeIsolated { self?.woken(for: id, isNew: !isThere) } }
    }
  }

  private func session(_ id: String) -> URLSession? {
    sessions[id]?.session.flatMap { $0.isAlive ? $0 : nil }
  }

  /// A process that was started for this is told so; it makes its session anew.
  private func woken(for id: String, isNew: Bool) {
    if isNew, let application = FakePhone.current.application {
      application.delegate?.application(application, handleEventsForBackgroundURLSession: id) {}
    }
    if let session = session(id) { deliver(to: session) }
  }

  private func deliver(to session: URLSession) {
    guard session.isAlive else { return }
    let ended = transfers.filter { $0.session == session.configuration.identifier && $0.outcome != nil }
    transfers.removeAll { transfer in ended.contains { $0 === transfer } }
    for transfer in ended {
      let task = URLSessionUploadTask(transfer, in: session)
      if let outcome = transfer.outcome { task.complete(outcome) }
    }
    session.delegate?.urlSessionDidFinishEvents(forBackgroundURLSession: session)
  }
}
