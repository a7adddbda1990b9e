import Foundation
import PhoneHost

#if !canImport(UIKit)
  import AppleTwins
  import class FoundationNetworking.HTTPURLResponse
  import struct FoundationNetworking.URLRequest
#endif

/// Positions for a server, where a person wants that. The engine says which lines are kept and when they are sent; this
/// keeps them on the disk until the server has them, and knows where to send them.
///
/// There are two ways. While the app runs it sends at once, in a session of its own. Where that gets no answer, the oldest
/// file is handed to a session in the background: the system sends it when there is a network, starts the app again if
/// need be, and the app goes on with the rest. That way alone would be too slow: what is handed over with the screen off is
/// sent at the system's discretion. What comes twice the server counts once.
@MainActor
final class Reports: NSObject {
  static let background = "app.proximity.alarm.reports"
  /// In seconds. The system gives a background task about 30.
  private static let patience: TimeInterval = 20

  /// What became of a transfer that the system carried.
  var onOutcome: (ReportOutcome) -> Void = { _ in }
  /// What keeps positions from being kept.
  var onProblem: (String) -> Void = { _ in }
  /// What keeps positions from being sent until a person does something, each time that it was found out; nil: nothing.
  var onBlocked: (Blocked?) -> Void = { _ in }

  enum Blocked: Hashable {
    /// The server refuses this phone.
    case refused
    /// The system gives, or takes, no token: its number for why.
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
  /// Nil where the keychain did not give it; it is asked again at the next attempt.
  private var token: String?
  /// When the server last took something, in milliseconds since 1970.
  private var sentAt: Int64 = 0
  private var problem = Problem.none
  /// The file that is being sent by the way that answers at once.
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
    // What a former installation left, or one that ended in the middle of a change. Where the system refuses now, the next
    // start does it. An address that is there and cannot be read says nothing about its token.
    if kept != nil || !FileManager.default.fileExists(atPath: settings.path) {
      try? keychain.keepOnly(isOn ? address : nil)
    }
    // Also where nothing is reported any more: what a former process handed over has ended, or ends.
    _ = carried
  }

  /// Of the server, its address alone.
  private var settings: URL { folder.appendingPathComponent("address") }
  /// Where earlier versions kept the address, and in a second line the token.
  private var former: URL { folder.appendingPathComponent("server") }

  /// From now on the keychain has the token. Until it takes it, it is used from where it stands.
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

  /// - Returns: nil where there is none; that is told.
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

  /// From now on positions go there; empty words end that. What waits for a former server is for nobody else.
  ///
  /// - Returns: whether it was kept.
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
    // The next start does it again where the system refuses now.
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

  // MARK: What became of it

  private func ended(_ task: URLSessionTask, isCarried: Bool, _ error: (any Error)?) {
    let name = task.taskDescription ?? ""
    // Another server was chosen meanwhile, or the file is gone: the engine was told, or is told by the other way.
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

  /// While the other way is under way its end is told; a failure of this one is told by the next attempt.
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
    // A session in the background follows to other addresses by itself: what is said there is no answer of the server.
    guard response.url?.absoluteString.lowercased() == task.originalRequest?.url?.absoluteString.lowercased()
    else { return .refused }
    return ReportOutcome(status: response.statusCode)
  }

  // MARK: In the background

  /// One file at a time: in their order, and the system slows down who asks for much.
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
  /// The system started the app, or woke it, for transfers that ended; it is told when their ends were heard.
  func heedCarried(_ done: @escaping () -> Void) { onAllCarried = done }

  // MARK: For the page

  /// Where positions go, how many files of them wait and what the last attempt came to, as JSON.
  var state: String {
    let all: [String: Any] = [
      "address": address, "waiting": outbox.count, "sent_ms": sentAt, "problem": problem.rawValue,
    ]
    let json = try? JSONSerialization.data(withJSONObject: all, options: [.sortedKeys])
    return json.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

/// The sessions call on the main queue, as they were told to.
extension Reports: @preconcurrency URLSessionTaskDelegate {
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ended(task, isCarried: session === carried, error)
  }

  /// The token is for this server alone.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    onAllCarried?()
    onAllCarried = nil
  }
}
