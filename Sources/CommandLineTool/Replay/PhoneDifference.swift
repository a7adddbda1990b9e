import AlarmEngine
import CommandLineSupport
import Geometry

/// A difference between a phone's behaviour and the replay of its journal.
enum PhoneDifference {
  /// An alarm that this version decides and the phone did not.
  case notDecided(Event, AlarmReport)
  /// An alarm of the phone that the replay does not have.
  case onlyOnPhone(PhoneReplay.ToldAlarm)
  /// The phone decided it and continued, but never reported it as shown.
  case notShown(PhoneReplay.ToldAlarm)
  case late(PhoneReplay.ToldAlarm, by: TimeSpan)
  case miscounted(Miscount)

  struct Miscount {
    /// The number of events that the phone had reported, and the number in the replay.
    let phone: UInt64
    let replay: UInt64
    let at: Instant?
    var ringing = 0
    var ringingHere = 0
  }

  /// The positions of a closely watched phone are seconds apart.
  static let late = TimeSpan.seconds(60)

  /// All differences by time.
  static func all(in replay: PhoneReplay) -> [PhoneDifference] {
    var differences: [(at: Instant, difference: PhoneDifference)] = []
    var told: [AlarmID: [PhoneReplay.ToldAlarm]] = [:]
    for each in replay.told { told[each.report.alarm, default: []].append(each) }
    for event in replay.events {
      guard let report = event.ring, !replay.unwitnessed.contains(report.alarm) else { continue }
      if told[report.alarm]?.isEmpty ?? true {
        differences.append((event.time, .notDecided(event, report)))
        continue
      }
      let each = told[report.alarm]!.removeFirst()
      if each.shownAt == nil, let end = replay.end, end > each.at {
        differences.append((event.time, .notShown(each)))
      }
      let late = (each.shownAt ?? each.at) - event.time
      if late >= Self.late { differences.append((event.time, .late(each, by: late))) }
    }
    // An alarm whose time was corrected by a later position is listed again at that time.
    let here = Set(replay.events.compactMap { $0.ring?.alarm })
    for each in replay.told where !here.contains(each.report.alarm) {
      differences.append((each.event.time, .onlyOnPhone(each)))
    }
    for miscount in replay.miscounts {
      differences.append((miscount.at ?? Instant.allowed.lowerBound, .miscounted(miscount)))
    }
    return differences.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element.difference)
  }

  /// Nil if it concerns no zone.
  var zone: ZoneID? {
    switch self {
    case .notDecided(_, let report): report.zone
    case .onlyOnPhone(let told), .notShown(let told), .late(let told, _): told.report.zone
    case .miscounted: nil
    }
  }

  func words(_ name: (ZoneID) -> String) -> String {
    switch self {
    case .notDecided(let event, let report):
      "\(name(report.zone)): rings in the replay at \(timeWords(event.time)); the phone did not ring"
    case .onlyOnPhone(let told):
      "\(name(told.report.zone)): the phone rang at \(timeWords(told.at)); by positions received later it should not have rung"
    case .notShown(let told):
      "\(name(told.report.zone)): the phone decided at \(timeWords(told.at)) to ring, but never recorded that it did"
    case .late(let told, let late):
      "\(name(told.report.zone)): the phone rang at \(timeWords(told.shownAt ?? told.at)), \(spanWords(late)) late"
    case .miscounted(let miscount): Self.words(miscount)
    }
  }

  private static func words(_ miscount: Miscount) -> String {
    let by = miscount.at.map { "by \(timeWords($0)) " } ?? ""
    if miscount.phone == miscount.replay {
      return
        "\(by)\(counted(miscount.ringing, "alarm", "alarms")) rang on the phone, \(miscount.ringingHere) in the replay: "
        + "the phone ran another version"
    }
    return "\(by)the phone had reported \(counted(Int(miscount.phone), "event", "events")), the replay has "
      + "\(miscount.replay): the phone ran another version"
  }
}
