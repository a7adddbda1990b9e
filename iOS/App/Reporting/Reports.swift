import Foundation
import PhoneHost

#if !canImport(UIKit)
  import AppleFakes
  import class FoundationNetworking.HTTPURLResponse
  import struct FoundationNetworking.URLRequest
#endif

/// Sends positions to a server, if a person wants that. The engine decides which lines are kept and when they
/// are sent. This class keeps them on the disk until the server has them, and knows the server's address.
///
/// There are two ways. While the app runs it sends at once, in a session of its own. If there is no answer,
/// the oldest file is passed to a background session: the system sends it when there is a network, launches
/// the app again if needed, and the app continues with the rest. The background session alone would be too
/// slow: files passed to it with the screen off are sent at the system's discretion. The server counts
/// duplicates once.
@MainActor
final class Reports: NSObject {
  static let background = "app.proximity.alarm.reports"
  /// The request timeout in seconds. The system gives a background task about 30.
  private static let patience: TimeInterval = 20

  /// Called with the outcome of a transfer by the background session.
  var onOutcome: (ReportOutcome) -> Void = { _ in }
  /// Called with the reason when positions cannot be stored.
  var onProblem: (String) -> Void = { _ in }
  /// Called each time with the reason why positions cannot be sent until a person acts; nil if there is none.
  var onBlocked: (Blocked?) -> Void = { _ in }

  enum Blocked: Hashable {
    /// The server refuses this phone.
    case refused
    /// The keychain does not return or store the token. The value is the system's error number.
    case keychain(Int)
  }
  private enum Problem: String {
    case none = ""
    case network, refused, keychain
  }
  private let folder: URL
  private let outbox: Outbox
  private let keychain = TokenKeychain()
  private let awake = BackgroundWork(named: "report")
  private var address = ""
  /// The token; nil if the keychain did not return it. The next attempt asks it again.
  private var token: String?
  /// The time when the server last accepted positions, in milliseconds since 1970.
  private var sentAt: Int64 = 0
  private var problem = Problem.none
  /// The file that is being sent by the direct session.
  private var attempt: (file: String, done: (ReportOutcome) -> Void)?
  private lazy var direct = session(.ephemeral)
  private lazy var carried = session(.background(withIdentifier: Self.background))

  init(folder: URL) {
    self.folder = folder
    outbox = Outbox(folder: folder)
    super.init()
    let kept = try? String(contentsOf: settings, encoding: .utf8)
    address = kept ?? ""
    takeOver()
    // Remove tokens left by an earlier installation or by a change that was interrupted. If the system
    // refuses that now, the next start repeats it. If an address exists but cannot be read, its token is not
    // known and stays.
    if kept != nil || !FileManager.default.fileExists(atPath: settings.path) {
      try? keychain.keepOnly(isOn ? address : nil)
    }
    // Made even if nothing is reported any more: transfers of an earlier process have ended, or will end.
    _ = carried
  }

  /// The file with the server's address, without its token.
  private var settings: URL { folder.appendingPathComponent("address") }
  /// The file in which earlier versions kept the address and, in a second line, the token.
  private var former: URL { folder.appendingPathComponent("server") }

  /// Moves the token into the keychain. Until the keychain accepts it, it is used from the old file.
  private func takeOver() {
    guard let text = try? String(contentsOf: former, encoding: .utf8) else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.count == 2, isAllowed(lines[0], lines[1]) {
      (address, token) = (lines[0], lines[1])
      guard Platform.mayWrite, (try? keychain.keep(lines[1], for: lines[0])) != nil,
        (try? writeAddress()) != nil
      else { return }
    }
    try? FileManager.default.removeItem(at: former)
  }

  private func writeAddress() throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: EngineFiles.protection)
    try Data(address.utf8).write(to: settings, options: .atomic)
    Platform.wrote()
  }

  /// - Returns: nil if there is none; an error of the keychain is reported.
  private func findToken() -> String? {
    if let token { return token }
    do {
      token = try keychain.token(for: address)
    } catch { block(.keychain(Int(error.status))) }
    return token
  }

  private func block(_ blocked: Blocked) {
    switch blocked {
    case .refused: problem = .refused
    case .keychain: problem = .keychain
    }
    onBlocked(blocked)
  }

  private func session(_ configuration: URLSessionConfiguration) -> URLSession {
    configuration.timeoutIntervalForRequest = Self.patience
    return URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
  }

  private func isAllowed(_ address: String, _ token: String) -> Bool {
    address.hasPrefix("https://") && URL(string: address)?.host?.isEmpty == false && !token.isEmpty
      && !(address + token).contains { $0.isNewline }
  }

  var isOn: Bool { !address.isEmpty }

  /// Changes the server; empty strings stop the reporting. Positions that wait for the previous server are
  /// deleted.
  ///
  /// - Returns: whether the change was stored.
  func change(_ address: String, _ token: String) -> Bool {
    guard Platform.mayWrite else { return false }
    let isWanted = isAllowed(address, token)
    let (address, token) = isWanted ? (address, token) : ("", "")
    do {
      if isWanted { try keychain.keep(token, for: address) }
    } catch {
      block(.keychain(Int(error.status)))
      return false
    }
    let earlier = self.address
    do {
      if address != earlier { try outbox.clear() }
      self.address = address
      try writeAddress()
      if FileManager.default.fileExists(atPath: former.path) {
        try FileManager.default.removeItem(at: former)
      }
    } catch {
      self.address = earlier
      onProblem(error.localizedDescription)
      return false
    }
    self.token = isWanted ? token : nil
    (problem, sentAt) = (.none, 0)
    if attempt != nil { awake.release() }
    attempt = nil
    onBlocked(nil)
    cancelCarried { _ in true }
    // If the system refuses that now, the next start repeats it.
    try? keychain.keepOnly(isWanted ? address : nil)
    return true
  }

  func keep(_ lines: [UInt8]) {
    guard isOn else { return }
    do { try outbox.append(lines) } catch { onProblem(error.localizedDescription) }
  }

  /// Sends the oldest file.
  func send(_ done: @escaping (ReportOutcome) -> Void) {
    guard isOn, let file = outbox.oldest() else { return done(.sent) }
    guard findToken() != nil else { return done(.failed) }
    attempt = (file.lastPathComponent, done)
    awake.hold()
    begin(file, in: direct)
  }

  private func begin(_ file: URL, in session: URLSession) {
    guard let request else { return }
    let task = session.uploadTask(with: request, fromFile: file)
    task.taskDescription = file.lastPathComponent
    task.resume()
  }

  private var request: URLRequest? {
    guard let token, let url = URL(string: address + "/api/v1/fixes") else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
    return request
  }

  // MARK: Outcomes

  private func ended(_ task: URLSessionTask, isCarried: Bool, _ error: (any Error)?) {
    let name = task.taskDescription ?? ""
    // If another server was chosen or the file is gone, the engine was told already, or is told by the other
    // session.
    guard isOurs(task.originalRequest), isCarried ? outbox.file(named: name) != nil : attempt?.file == name
    else { return }
    var outcome = error == nil ? outcome(task) : .failed
    if outcome == .sent {
      sentAt = Platform.now.millisecondsSince1970
      do {
        if let file = outbox.file(named: name) { try outbox.remove(file) }
        if outbox.count > 0 { outcome = .sentInPart }
      } catch { outcome = .failed }
    }
    switch outcome {
    case .sent, .sentInPart: problem = .none
    case .failed: problem = .network
    case .refused: problem = .refused
    }
    if outcome != .failed { onBlocked(outcome == .refused ? .refused : nil) }
    isCarried ? carriedEnded(outcome) : attemptEnded(outcome, name)
  }

  private func attemptEnded(_ outcome: ReportOutcome, _ name: String) {
    let done = attempt?.done
    attempt = nil
    if outcome == .failed { handOver(name) } else { cancelCarried { $0 == name } }
    done?(outcome)
    awake.release()
  }

  /// Reports the end of a background transfer, unless a direct attempt is running, which reports its own end.
  /// A failure is reported by the next attempt.
  private func carriedEnded(_ outcome: ReportOutcome) {
    if attempt == nil, outcome != .failed { onOutcome(outcome) }
  }

  private func isOurs(_ request: URLRequest?) -> Bool {
    guard isOn, let own = self.request else { return false }
    let header = "Authorization"
    return request?.url == own.url
      && request?.value(forHTTPHeaderField: header) == own.value(forHTTPHeaderField: header)
  }

  private func outcome(_ task: URLSessionTask) -> ReportOutcome {
    guard let response = task.response as? HTTPURLResponse else { return .failed }
    // A background session follows redirects by itself. A response from another address is no answer of the
    // server.
    guard response.url?.absoluteString.lowercased() == task.originalRequest?.url?.absoluteString.lowercased()
    else { return .refused }
    return ReportOutcome(status: response.statusCode)
  }

  // MARK: In the background

  /// Passes one file at a time, to keep their order and because the system slows down apps with many
  /// transfers.
  private func handOver(_ name: String) {
    carried.getAllTasks { [weak self] tasks in
      let isIdle = tasks.isEmpty
      Platform.onMain { [weak self] in
        guard let self, isIdle, let file = outbox.file(named: name) else { return }
        begin(file, in: carried)
      }
    }
  }

  private func cancelCarried(_ isMeant: @escaping @Sendable (String) -> Bool) {
    carried.getAllTasks { tasks in
      for task in tasks where isMeant(task.taskDescription ?? "") { task.cancel() }
    }
  }

  private var onAllCarried: (() -> Void)?
  /// Stores the handler of the system, which launched or woke the app for finished transfers. It is called
  /// after all results were received.
  func awaitCarried(_ done: @escaping () -> Void) { onAllCarried = done }

  // MARK: For the page

  /// The server's address, the number of files that wait and the outcome of the last attempt, as JSON.
  var state: String {
    let all: [String: Any] = [
      "address": address, "waiting": outbox.count, "sent_ms": sentAt, "problem": problem.rawValue,
    ]
    let json = try? JSONSerialization.data(withJSONObject: all, options: [.sortedKeys])
    return json.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

/// The sessions call on the main queue, as configured.
extension Reports: @preconcurrency URLSessionTaskDelegate {
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ended(task, isCarried: session === carried, error)
  }

  /// Refuses redirects: the token is for this server only.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    onAllCarried?()
    onAllCarried = nil
  }
}
