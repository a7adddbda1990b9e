import AlarmEngine
import Geometry

/// The binary form of commands, for platforms not written in Swift: big-endian, as Java's `DataInputStream`
/// reads.
///
/// The number of commands in 32 bits, then each: its kind in 8 and what belongs to it, in the order of ``PhoneCommand``'s
/// cases. A text is its length in 32 bits and its UTF-8; a time that is none is -1. A session is the least time between two
/// positions, the least distance (metres, negative: none) and whether satellites are needed; a request whether it ends with
/// one position, its time, the metres of accuracy with which a position is good enough, and whether satellites are needed.
enum PhoneCommandBytes {
  enum Kind: UInt8 {
    /// The input could not be read; with the reason in 8 bits.
    case refused = 0
    case append, replace
    case session = 10
    case endSession, startRequest, endRequest, fences, requestState, significantChanges, visits, motion, wake
    case holdBackground, releaseBackground, warn, warnIfSilent
    case report, sendReports
    case tell = 30
    case ringing
  }

  static func refused(_ error: DataError) -> [UInt8] {
    var writer = DataWriter()
    writer.count(1)
    writer.byte(Kind.refused.rawValue)
    writer.byte(error.number)
    return writer.bytes
  }

  static func write(_ commands: [PhoneCommand], of timeline: Timeline) -> [UInt8] {
    // One record for each event that is told.
    let count = commands.reduce(0) { count, command in
      if case .tell(let told) = command { count + told.count } else { count + 1 }
    }
    var writer = DataWriter()
    writer.count(count)
    for command in commands { write(command, of: timeline, to: &writer) }
    return writer.bytes
  }

  private static func write(_ command: PhoneCommand, of timeline: Timeline, to writer: inout DataWriter) {
    func kind(_ kind: Kind) { writer.byte(kind.rawValue) }
    switch command {
    case .append(let bytes):
      kind(.append)
      writer.blob(bytes)
    case .replace(let bytes):
      kind(.replace)
      writer.blob(bytes)
    case .session(let session):
      kind(.session)
      writer.span(session.accuracy.interval)
      writer.number(session.distanceFilter?.metres ?? -1)
      writer.flag(session.accuracy.needsSatellites)
    case .endSession: kind(.endSession)
    case .startRequest(let accuracy, let once, let span):
      kind(.startRequest)
      writer.flag(once)
      writer.span(span)
      writer.number(accuracy.goodEnough)
      writer.flag(accuracy.needsSatellites)
    case .endRequest: kind(.endRequest)
    case .fences(let fences):
      kind(.fences)
      writer.count(fences.count)
      for fence in fences { writer.fence(fence) }
    case .requestState(let id):
      kind(.requestState)
      writer.word(id.rawValue)
    case .significantChanges(let wanted):
      kind(.significantChanges)
      writer.flag(wanted)
    case .visits(let wanted):
      kind(.visits)
      writer.flag(wanted)
    case .motion(let wanted):
      kind(.motion)
      writer.flag(wanted)
    case .wake(let time):
      kind(.wake)
      writer.instant(orNone: time)
    case .holdBackground: kind(.holdBackground)
    case .releaseBackground: kind(.releaseBackground)
    case .warn(let warning):
      kind(.warn)
      switch warning {
      case .cannotLocate(let zone):
        writer.byte(0)
        writer.word(zone.rawValue)
      case .wifiIsOff:
        writer.byte(1)
        writer.word(0)
      }
    case .warnIfSilent(let time):
      kind(.warnIfSilent)
      writer.instant(orNone: time)
    case .report(let lines):
      kind(.report)
      writer.blob(lines)
    case .sendReports: kind(.sendReports)
    case .tell(let told):
      for each in told {
        kind(.tell)
        tell(each, of: timeline, to: &writer)
      }
    case .ringing(let alarms):
      kind(.ringing)
      writer.count(alarms.count)
      for ringing in alarms {
        writer.word(ringing.alarm.rawValue)
        writer.word(ringing.zone.rawValue)
        writer.byte(ringing.cause.rawValue)
        writer.instant(ringing.began)
        writer.flag(ringing.isClosed)
        let zone = timeline.watched.zone(ringing.zone)
        writer.text(zone?.name ?? .empty)
        writer.text(zone?.soundName ?? .empty)
      }
    }
  }

  /// The number, what happened, the alarm (0: none), the zone (0: none or several), the cause, when, how far from the
  /// edge, the zone's name and sound, and words of the event's own.
  private static func tell(_ told: Told, of timeline: Timeline, to writer: inout DataWriter) {
    var (alarm, zone, distance) = (UInt64(0), UInt64(0), 0.0)
    var (cause, words) = (Cause.inside, Text.empty)
    func take(_ report: AlarmReport) {
      (alarm, zone, distance) = (report.alarm.rawValue, report.zone.rawValue, report.distance.metres)
      cause = report.cause
    }
    let what: UInt8
    switch told.event.kind {
    case .alarm(let report):
      what = 0
      take(report)
    case .repeat(let report):
      what = 1
      take(report)
    case .cleared(let report, _):
      what = 2
      take(report)
    case .missedSignal(let id, let far, _):
      what = 3
      (zone, distance) = (id.rawValue, far.metres)
    case .perhaps(let id, let far, _, _):
      what = 4
      (zone, distance) = (id.rawValue, far.metres)
    case .notice(let id):
      let place = timeline.watched.zone(id)
      what = place.map { ReminderZone.isOne($0) } ?? false ? 8 : 5
      zone = id.rawValue
      words = place?.notice?.text ?? .empty
    case .proposal(let proposal):
      what = 6
      words = proposal.text()
    case .ignored: what = 7
    }
    let known = timeline.watched.zone(ZoneID(rawValue: zone))
    writer.word(told.number)
    writer.byte(what)
    writer.word(alarm)
    writer.word(zone)
    writer.byte(cause.rawValue)
    writer.instant(told.event.time)
    writer.number(distance)
    writer.text(known?.name ?? .empty)
    writer.text(known?.soundName ?? .empty)
    writer.text(words)
  }
}

extension DataError {
  fileprivate var number: UInt8 {
    switch self {
    case .endsEarly: 1
    case .bytesLeft: 2
    case .unknown: 3
    case .outOfRange: 4
    case .countTooLarge: 5
    case .damaged: 6
    }
  }
}
