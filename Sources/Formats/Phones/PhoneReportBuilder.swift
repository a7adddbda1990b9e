import AlarmEngine
import Geometry

/// A position as it was sent, unchecked.
struct PhoneFixDraft {
  /// Numbers in the units of `TrackFilePoint`; `received` is set by the builder.
  var point = TrackFilePoint()
  /// True if the phone itself marks the position as invalid.
  var isInvalid = false
  /// True if a missing time means the time of arrival; otherwise it is an error.
  var timeMayBeArrival = false
  var details = FixDetails()
}

/// Collects the fixes, messages and issues that a decoder finds.
struct PhoneReportBuilder {
  let receivedAt: Instant
  var claim: DeviceClaim
  var isOverlandAsOwnTracks = false
  var bodyHasMore = false
  /// The first topic that an OwnTracks message names.
  var topic: String?
  private let endpoint: PhoneEndpoint
  private var collector = TrackFileCollector()
  private var fixes: [ReportedFix] = []
  private var keys: Set<FixKey> = []
  private var duplicates = 0
  private(set) var messages: [PhoneMessage] = []

  /// Metres for each unit of horizontal dilution.
  static let metresOfDilution = 5.0
  /// Half of the equator, in metres; no two places on earth are farther apart.
  static let farthest = 20_037_509.0
  /// Metres per second; nothing that carries a phone is faster (escape velocity).
  static let fastest = 11_200.0
  /// Metres up or down; satellites that a phone could be in fly lower.
  static let highest = 2_000_000.0

  init(_ request: PhoneRequest) {
    receivedAt = request.receivedAt
    endpoint = request.endpoint
    claim = DeviceClaim(request)
  }

  mutating func add(_ message: PhoneMessage) { messages.append(message) }

  /// Adds a heartbeat, a sign of life without a position, if the request names a known member or nothing but
  /// its sender. A request with only unknown names may hold a position that is not found: it is kept as it is
  /// and is no sign of life.
  mutating func addHeartbeat(
    at time: Instant?, _ state: PhoneState, _ fields: PhoneFields, known: Set<String>
  ) {
    let names = fields.members.map(\.0)
    guard
      names.contains(where: { known.contains($0) && !Self.identifying.contains($0) })
        || names.allSatisfy(Self.identifying.contains)
    else {
      let words = names.prefix(10).map { "\"\(NumberField.excerpt($0))\"" }.joined(separator: ", ")
      note(.error, nil, "no position and no other known field found among \(words)")
      add(.unknown(type: ""))
      return
    }
    add(.heartbeat(at: time ?? receivedAt, state))
  }

  /// Names that only identify the sender.
  private static let identifying: Set<String> = ["id", "deviceid", "device_id", "dev", "aid", "device"]

  mutating func note(_ severity: ReadIssue.Severity, _ number: Int?, _ message: @autoclosure () -> String) {
    collector.note(severity, line: number, message())
  }

  /// Adds the position if it has a place and a time, else notes the reason.
  /// - Parameter number: the element's number in its batch, from 1.
  @discardableResult
  mutating func add(_ draft: PhoneFixDraft, number: Int? = nil) -> Bool {
    var point = draft.point
    point.received = receivedAt
    var timeBasis = ReportedFix.TimeBasis.measured
    if point.time == .missing, draft.timeMayBeArrival {
      point.time = .read(.time(receivedAt, zone: .stated), as: "")
      timeBasis = .arrival
    }
    let accuracyBasis = settleAccuracy(&point, number)
    if let height = draft.details.altitude { point.altitude = .number(height.metres) }
    if let error = draft.details.verticalAccuracy { point.altitudeError = .number(error.metres) }
    bound(&point.speed, to: Self.fastest, "speed", number)
    guard let checked = collector.checked(point, line: number) else { return false }
    var fix = checked.fix
    if draft.isInvalid {
      note(.warning, number, "the phone calls the position invalid; it is kept and not used")
      fix = Fix(
        position: fix.position, accuracy: .invalid(stated: .metres(-1)), measuredAt: fix.measuredAt,
        receivedAt: receivedAt, speed: fix.speed, course: fix.course, altitude: fix.altitude)
    }
    var reported = ReportedFix(fix: fix, accuracyBasis: accuracyBasis, timeBasis: timeBasis)
    reported.details = draft.details
    guard keys.insert(reported.key).inserted else {
      duplicates += 1
      return true
    }
    fixes.append(reported)
    return true
  }

  /// Discards an accuracy of zero or less, and estimates a missing one from the dilution.
  private mutating func settleAccuracy(_ point: inout TrackFilePoint, _ number: Int?)
    -> ReportedFix.AccuracyBasis
  {
    if let metres = point.accuracy.number, metres <= 0 { point.accuracy = .missing }
    var basis = ReportedFix.AccuracyBasis.stated
    if point.accuracy == .missing, let dilution = point.hdop.number, dilution > 0 {
      point.accuracy = .number(min(dilution, Self.farthest) * Self.metresOfDilution)
      basis = .dilution(dilution)
    }
    guard let metres = point.accuracy.number else { return .unstated }
    point.accuracy = .number(min(metres, Self.farthest))
    return basis
  }

  private mutating func bound(_ field: inout NumberField, to limit: Double, _ name: String, _ number: Int?) {
    guard let value = field.number, abs(value) > limit else { return }
    note(.warning, number, "\(name) \(value) found, at most \(limit) allowed; taken as unstated")
    field = .missing
  }

  /// Reads a height and its error. A negative error means that the phone knows no height; zero means no
  /// stated error.
  mutating func height(
    _ altitude: JSONValue?, _ name: String, error: JSONValue?, _ errorName: String,
    of draft: inout PhoneFixDraft, _ number: Int?
  ) {
    let stated = self.number(error, errorName, number)
    guard stated.map({ $0 >= 0 }) ?? true else { return }
    draft.details.altitude = length(altitude, name, number)
    draft.details.verticalAccuracy = stated.flatMap { $0 >= 0.001 && $0 <= Self.highest ? .metres($0) : nil }
  }

  /// Reads a length; nil if it is absent or outside `range`.
  mutating func length(
    _ value: JSONValue?, _ name: String, in range: ClosedRange<Double> = -highest...highest, _ number: Int?
  ) -> Distance? {
    guard let found = self.number(value, name, number) else { return nil }
    guard range.contains(found) else { return nil }
    return .metres(found)
  }

  /// Reads a number; nil, with a warning, for any other value.
  mutating func number(_ value: JSONValue?, _ name: String, _ number: Int?) -> Double? {
    switch value?.field ?? .missing {
    case .missing: return nil
    case .number(let found): return found
    case .words(let words):
      note(.warning, number, "\(name) \"\(words)\" found, a number expected; taken as unstated")
      return nil
    }
  }

  /// Reads a battery level of 0 to `full` as 0 to 1; a negative one is unknown.
  mutating func battery(_ value: JSONValue?, full: Double, _ number: Int?) -> Double? {
    guard let level = self.number(value, "battery level", number), level >= 0 else { return nil }
    guard level <= full else {
      note(.warning, number, "battery level \(level) found, 0 to \(full) allowed; taken as unstated")
      return nil
    }
    return level / full
  }

  /// Returns the report, its fixes in the order of ``PhoneReport/fixes``.
  consuming func finish() -> PhoneReport {
    var report = PhoneReport(endpoint: endpoint, claim: claim)
    var keyed = fixes.enumerated().map { (offset: $0.offset, fix: $0.element) }
    keyed.sort { a, b in
      if a.fix.details.isCurrent != b.fix.details.isCurrent { return a.fix.details.isCurrent }
      if a.fix.fix.measuredAt != b.fix.fix.measuredAt { return a.fix.fix.measuredAt < b.fix.fix.measuredAt }
      return a.offset < b.offset
    }
    report.fixes = keyed.map { $0.fix }
    report.duplicates = duplicates
    report.messages = messages
    // An empty batch is a sign of life too.
    if fixes.isEmpty, messages.isEmpty, collector.listed.isEmpty {
      report.messages = [.heartbeat(at: receivedAt, PhoneState())]
    }
    report.issues = collector.listed
    report.isOverlandAsOwnTracks = isOverlandAsOwnTracks
    // Errors beyond those that are listed count too.
    report.bodyHasMore = bodyHasMore || collector.leftOut > 0
    return report
  }
}
