import Geometry

/// The writing half of `EventBytes` and of snapshots.
struct EventWriter {
  private(set) var bytes: [UInt8] = []

  mutating func event(_ event: Event) {
    instant(event.time)
    instant(event.decidedAt)
    instant(event.learnedAt)
    switch event.kind {
    case .alarm(let report):
      kind(.alarm)
      self.report(report)
    case .repeat(let report):
      kind(.repeat)
      self.report(report)
    case .cleared(let report, let clearing):
      kind(.cleared)
      self.report(report)
      byte(clearing.rawValue)
    case .missedSignal(let zone, let distance, let position):
      kind(.missedSignal)
      word(zone.rawValue)
      double(distance.metres)
      coordinate(position)
    case .ignored(let fix, let reason):
      kind(.ignored)
      self.fix(fix)
      byte(reason.rawValue)
    case .notice(let zone):
      kind(.notice)
      word(zone.rawValue)
    case .proposal(let proposal):
      kind(.proposal)
      self.proposal(proposal)
    }
  }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// - Precondition: fits 32 bits.
  mutating func count(_ value: Int) {
    precondition(value <= Int(Int32.max), "a count of events, lines or bytes fits 31 bits")
    let bits = UInt32(value)
    for shift in stride(from: UInt32(0), to: 32, by: 8) { byte(UInt8(truncatingIfNeeded: bits >> shift)) }
  }

  private mutating func kind(_ kind: EventKindByte) { byte(kind.rawValue) }

  mutating func word(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { byte(UInt8(truncatingIfNeeded: value >> shift)) }
  }
  mutating func instant(_ value: Instant) { word(UInt64(bitPattern: value.millisecondsSince1970)) }
  mutating func double(_ value: Double) { word(value.bitPattern) }
  mutating func coordinate(_ value: Coordinate) {
    double(value.latitude.degrees)
    double(value.longitude.degrees)
  }
  private mutating func text(_ value: Text) {
    count(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }
  private mutating func optional(_ value: Double?) {
    byte(value == nil ? 0 : 1)
    if let value { double(value) }
  }

  private mutating func report(_ report: AlarmReport) {
    word(report.alarm.rawValue)
    word(report.zone.rawValue)
    byte(report.cause.rawValue)
    double(report.distance.metres)
    coordinate(report.position)
  }

  mutating func fix(_ fix: Fix) {
    coordinate(fix.position)
    switch fix.accuracy {
    case .radius(let radius): optional(radius.metres)
    case .unstated: optional(nil)
    }
    instant(fix.measuredAt)
    instant(fix.receivedAt)
    optional(fix.speed?.metresPerSecond)
    optional(fix.course?.degrees)
  }

  private mutating func proposal(_ proposal: MessageProposal) {
    count(proposal.lines.count)
    for line in proposal.lines {
      text(line.zone)
      text(line.message.yourMoniker)
      text(line.message.toMoniker)
      text(line.message.contactNumber)
      text(line.message.supplement)
    }
  }
}

/// The numbers of `Event.Kind` in `EventBytes`: never changed, only added to.
enum EventKindByte: UInt8 {
  case alarm = 1
  case `repeat` = 2
  case cleared = 3
  case missedSignal = 4
  case ignored = 5
  case notice = 6
  case proposal = 7
}
