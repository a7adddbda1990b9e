import AlarmEngine
import CurlClient
import NIOConcurrencyHelpers

/// Follows the conversation with a mail server: the current step, the last reply, and the server's
/// capabilities.
///
///     the greeting -> EHLO -> STARTTLS -> EHLO -> AUTH -> MAIL -> RCPT -> DATA -> acceptance
final class SMTPConversation: CurlObserver {
  private struct State {
    /// The command whose reply is awaited.
    var step = "the greeting"
    var deadline: ContinuousClock.Instant
    /// The code of the last reply (RFC 5321, section 4.2), or of the one that is arriving.
    var code = 0
    /// The text after the code, one string for each line.
    var lines: [String] = []
    var isComplete = false
    var hasTLS: Bool
    /// True if all further replies are ignored.
    var isDone: Bool { isAccepted || hasQuit }
    var hasQuit = false
    var isAccepted = false
    /// The reason why the conversation ends here, unless it is an error of libcurl.
    var failure: DeliveryFailure?

    var text: String { lines.joined(separator: " ") }
  }
  private let size: Int
  private let needsLogin: Bool
  private let limits: SMTPClient.Limits
  private let state: NIOLockedValueBox<State>

  /// - Parameters:
  ///   - size: the size of the mail, in bytes.
  ///   - startsTLS: whether the connection begins in clear text and must be upgraded.
  init(size: Int, needsLogin: Bool, startsTLS: Bool, limits: SMTPClient.Limits) {
    self.size = size
    self.needsLogin = needsLogin
    self.limits = limits
    state = NIOLockedValueBox(
      State(deadline: .now + .milliseconds(limits.step.milliseconds), hasTLS: !startsTLS))
  }

  func sent(_ line: String) -> Bool {
    state.withLockedValue { state in
      let word = line.prefix { !$0.isWhitespace }.uppercased()
      // The lines of a password begin with none of these.
      if ["EHLO", "HELO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA"].contains(word) {
        state.step = word
      }
      state.hasQuit = state.hasQuit || word == "QUIT"
      state.deadline = .now + .milliseconds(limits.step.milliseconds)
      return !state.isDone
    }
  }

  func received(_ line: String) -> Bool {
    state.withLockedValue { state in
      guard !state.isDone else { return false }
      if state.isComplete { (state.lines, state.isComplete) = ([], false) }
      state.code = Int(line.prefix(3)) ?? 0
      state.lines.append(String(line.dropFirst(4)))
      guard !line.dropFirst(3).hasPrefix("-") else { return true }
      state.isComplete = true
      switch (state.step, state.code) {
      case ("EHLO", 250):
        state.failure = refusal(state)
      case ("STARTTLS", 220):
        // The handshake must finish within the time limit of the next command.
        (state.step, state.hasTLS) = ("EHLO", true)
        state.deadline = .now + .milliseconds(limits.step.milliseconds)
      case ("DATA", 354):
        state.step = "acceptance"
        state.deadline = .now + .milliseconds(limits.acceptance.milliseconds)
      case ("acceptance", 250):
        state.isAccepted = true
      default: break
      }
      return !state.isAccepted
    }
  }

  /// Returns the reason why the mail cannot be sent to a server with the capabilities in this reply to EHLO;
  /// nil if it can.
  private func refusal(_ state: State) -> DeliveryFailure? {
    // Old servers write "AUTH=PLAIN".
    let abilities = state.lines.dropFirst().map {
      $0.uppercased().replacing("=", with: " ").split(separator: " ").map(String.init)
    }
    guard state.hasTLS || abilities.contains(["STARTTLS"]) else {
      return .insecure("the mail server offers no STARTTLS")
    }
    guard state.hasTLS else { return nil }
    let mechanisms = abilities.filter { $0.first == "AUTH" }.joined()
    if needsLogin, !mechanisms.contains("PLAIN"), !mechanisms.contains("LOGIN") {
      return .misconfigured("the mail server offers neither AUTH PLAIN nor AUTH LOGIN")
    }
    if let limit = abilities.first(where: { $0.first == "SIZE" })?.dropFirst().first.flatMap({ Int($0) }),
      limit > 0, size > limit
    {
      return .tooLarge(given: size, allowed: limit)
    }
    return nil
  }

  var deadline: ContinuousClock.Instant { state.withLockedValue { $0.deadline } }
  var isOver: Bool { state.withLockedValue { $0.failure != nil } }

  /// The server's reply to the accepted mail; nil if it was not accepted.
  var receipt: String? { state.withLockedValue { $0.isAccepted ? $0.text.excerpt(120) : nil } }

  /// Returns the reason why the mail was not accepted, from the error of libcurl and the server's last reply.
  func failure(_ error: CurlFailure) -> DeliveryFailure {
    state.withLockedValue { state in
      if let failure = state.failure { return failure }
      switch error.reason {
      case .cancelled: return .cancelled
      // A socket that was closed during the conversation also counts as not connected, hence the test of
      // `code`.
      case .timedOut(let stage) where stage != .connecting || state.code != 0:
        return .timedOut(during: state.step)
      default: break
      }
      if state.isComplete, (400..<600).contains(state.code) {
        return .reply(state.code, state.text.excerpt())
      }
      return DeliveryFailure(error)
    }
  }
}
