import AlarmEngine
import Geometry

extension SeededGenerator {
  /// Any possible event, with equal probability for each kind.
  public mutating func event() -> Event {
    let time = instant()
    return Event(time: time, decidedAt: instant(), learnedAt: instant(), kind: kind())
  }

  private mutating func kind() -> Event.Kind {
    switch Int.random(in: 0..<8, using: &self) {
    case 0: .alarm(report())
    case 1: .repeat(report())
    case 2: .cleared(report(), anyCase(Clearing.init))
    case 3: .missedSignal(zone: ZoneID(rawValue: next()), distance: distance(), position: coordinate())
    case 4: .ignored(fix(), anyCase(Ignored.init))
    case 5: .notice(zone: ZoneID(rawValue: next()))
    case 6:
      .perhaps(
        zone: ZoneID(rawValue: next()), distance: distance(), position: coordinate(),
        probability: Double.random(in: 0...1, using: &self))
    default: .proposal(MessageProposal(lines: lines()))
    }
  }

  /// One of all cases that have a raw byte.
  private mutating func anyCase<Value>(_ named: (UInt8) -> Value?) -> Value {
    let values = (UInt8.min...UInt8.max).compactMap(named)
    return values[Int.random(in: 0..<values.count, using: &self)]
  }

  private mutating func report() -> AlarmReport {
    AlarmReport(
      alarm: AlarmID(rawValue: next()), zone: ZoneID(rawValue: next()),
      cause: anyCase(Cause.init), distance: distance(),
      position: coordinate())
  }

  private mutating func lines() -> [MessageProposal.Line] {
    (0..<Int.random(in: 0...3, using: &self)).map { _ in
      MessageProposal.Line(
        zone: text(),
        message: Message(yourMoniker: text(), toMoniker: text(), contactNumber: text(), supplement: text()))
    }
  }

  /// A fix with any of its optional parts missing.
  public mutating func fix() -> Fix {
    let measuredAt = instant()
    return Fix(
      position: coordinate(), accuracy: Bool.random(using: &self) ? .radius(distance()) : .unstated,
      measuredAt: measuredAt, receivedAt: instant(),
      speed: Bool.random(using: &self) ? .metresPerSecond(double(in: 0...300)) : nil,
      course: Bool.random(using: &self) ? .degrees(double(in: 0...360)) : nil,
      altitude: Bool.random(using: &self) ? altitude() : nil)
  }

  /// A height with or without an error, of any reference.
  public mutating func altitude() -> Altitude? {
    Altitude(
      metres: double(in: -500...12_000), error: Bool.random(using: &self) ? double(in: 0.1...300) : nil,
      reference: Bool.random(using: &self) ? .seaLevel : .unknown)
  }

  private mutating func instant() -> Instant {
    let allowed =
      Instant.allowed.lowerBound.millisecondsSince1970...Instant.allowed.upperBound.millisecondsSince1970
    return Instant(millisecondsSince1970: Int64.random(in: allowed, using: &self))
  }
  private mutating func distance() -> Distance { .metres(double(in: -1e6...1e6)) }
  /// Bytes that need not be UTF-8, as files hold them.
  private mutating func text() -> Text {
    Text(
      utf8: (0..<Int.random(in: 0...20, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) })
  }
}
