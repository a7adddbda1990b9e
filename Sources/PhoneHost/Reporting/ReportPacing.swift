import AlarmEngine
import Geometry

/// The outcome of sending the waiting positions.
public enum ReportOutcome: UInt8, Sendable {
  /// No network, no answer, or the server is in trouble.
  case failed
  /// All waiting positions are on the server.
  case sent
  /// The oldest part of the waiting positions is on the server.
  case sentInPart
  /// The server rejects them: the token or the address is wrong.
  case refused
}

/// Decides when waiting positions are sent to a server: together, at most every half minute, at once when an
/// alarm rings. After failures the interval doubles, up to an hour.
///
/// None of this is stored: after a relaunch the first attempt finds out whether anything waits.
struct ReportPacing: Sendable {
  static let interval = TimeSpan.seconds(30)
  static let longest = TimeSpan.hours(1)

  private(set) var isOn = false
  private var mayWait = false
  private var isSending = false
  private var failures = 0
  /// Not sent again before this.
  private var earliest: Instant?

  /// Something changed about where reports go, or the process began.
  mutating func turn(on wanted: Bool) {
    self = Self()
    isOn = wanted
    mayWait = wanted
  }

  mutating func added() { mayWait = true }

  /// Sends at once, because an alarm rings; after a failure the waiting time still applies.
  mutating func hurry() {
    if failures == 0 { earliest = nil }
  }

  mutating func ended(_ outcome: ReportOutcome, at now: Instant) {
    isSending = false
    switch outcome {
    case .sent:
      failures = 0
      earliest = now + Self.interval
    case .sentInPart:
      mayWait = true
      failures = 0
      earliest = nil
    case .failed, .refused:
      mayWait = true
      failures = outcome == .refused ? 7 : min(failures + 1, 7)
      // 30 s, 1 min, 2 min, … 16 min, 1 h.
      earliest = now + (failures == 7 ? Self.longest : Self.interval * Double(1 << (failures - 1)))
    }
  }

  /// - Returns: whether they are to be sent now.
  mutating func takeSend(at now: Instant) -> Bool {
    guard isOn, mayWait, !isSending, earliest.map({ $0 <= now }) ?? true else { return false }
    isSending = true
    // Positions that arrive during the transfer wait for the next one.
    mayWait = false
    return true
  }

  /// When there is something to do without a further position.
  var next: Instant? { isOn && mayWait && !isSending ? earliest : nil }

  mutating func moved(by span: TimeSpan) { earliest = earliest.map { $0 + span } }
}
