import Geometry

/// The writing half of `EventBytes` and of snapshots.
extension FieldWriter {
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
      self.distance(distance)
      place(position)
    case .perhaps(let zone, let distance, let position, let probability):
      kind(.perhaps)
      word(zone.rawValue)
      self.distance(distance)
      place(position)
      double(probability)
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

  private mutating func kind(_ kind: EventKindByte) { byte(kind.rawValue) }

  mutating func double(_ value: Double) { word(value.bitPattern) }
  private mutating func optional(_ value: Double?) {
    byte(value == nil ? 0 : 1)
    if let value { double(value) }
  }

  private mutating func report(_ report: AlarmReport) {
    word(report.alarm.rawValue)
    word(report.zone.rawValue)
    byte(report.cause.rawValue)
    distance(report.distance)
    place(report.position)
  }

  mutating func fix(_ fix: Fix) {
    place(fix.position)
    optional(fix.accuracy.stated?.metres)
    instant(fix.measuredAt)
    instant(fix.receivedAt)
    optional(fix.speed?.metresPerSecond)
    byte((fix.course == nil ? 0 : 1) | (fix.altitude == nil ? 0 : 2))
    if let course = fix.course { double(course.degrees) }
    if let altitude = fix.altitude { self.altitude(altitude) }
  }

  private mutating func altitude(_ altitude: Altitude) {
    distance(altitude.height)
    byte(altitude.reference.rawValue)
    optional(altitude.error?.metres)
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
  case perhaps = 8
}
