import AlarmEngine
import Delivery
import Formats
import Geometry
import Store

/// The contents of an outbox item: a notice or a withdrawal as JSON, with the same members as a webhook's
/// body.
struct OutboxPayload {
  private let alarm: AlarmRecord
  private let zone: Zone?
  private let device: Device
  private let accuracy: Distance?

  /// - Parameter accuracy: the accuracy of the alarm's position; nil if it is not known.
  init(_ alarm: AlarmRecord, zone: Zone?, device: Device, accuracy: Distance? = nil) {
    self.alarm = alarm
    self.zone = zone
    self.device = device
    self.accuracy = accuracy
  }

  /// - Parameter message: one of the alarm's: `ring`, `repeated` or `cleared`.
  func notice(_ message: AlarmNotice.Message) -> [UInt8] {
    Array(JSONValue.object(NoticeJSON.members(of: value(message))).text.utf8)
  }

  func value(_ message: AlarmNotice.Message) -> AlarmNotice {
    var texts = (zone?.messages ?? []).map(\.supplement.string).filter { !$0.isEmpty }
    if case .missedCheckIn(let note, let seenAt) = alarm.subject, message != .checkInOver {
      if !note.isEmpty { texts.append(note.string) }
      texts.append(seenAt.map { "Last position at \(RFC3339.string(from: $0))." } ?? "No position is known.")
    }
    if let missing = alarm.missing {
      // The messages of a zone are for those who read that somebody is there.
      texts = message.kind == .notArrived ? [Self.words(seenAt: missing.seenAt, by: alarm.began)] : []
    }
    let sound = zone.flatMap { $0.soundName.isEmpty ? nil : $0.soundName.string }
    return AlarmNotice(
      alarm: alarm.id, sequence: sequence, message, device: .init(id: device.id, name: device.name),
      time: alarm.began, learnedAt: alarm.learnedAt, distance: alarm.distance,
      position: alarm.position.map { .init(coordinate: $0, accuracy: accuracy) }, messages: texts,
      sound: sound, priority: zone?.priority ?? 0)
  }

  /// The age of the last known place, at the time at which the phone was to be there.
  private static func words(seenAt: Instant?, by due: Instant) -> String {
    guard let seenAt else { return "No position is known." }
    let minutes = max(0, (due - seenAt).milliseconds / 60_000)
    let age =
      switch minutes {
      case ..<120: "\(minutes) min"
      case ..<2880: "\(minutes / 60) h"
      default: "\(minutes / 1440) days"
      }
    return "Last position at \(RFC3339.string(from: seenAt)), \(age) before that time."
  }

  var withdrawal: [UInt8] {
    let reason: AlarmWithdrawal.Reason =
      switch alarm.state {
      case .closed: .closed
      case .sleeping: .slept
      case .acknowledgedInside, .acknowledgedForToday: .acknowledged
      case .ringing, .cleared, .retracted: .cleared
      }
    let value = AlarmWithdrawal(alarm: alarm.id, sequence: sequence, reason: reason)
    return Array(JSONValue.object(NoticeJSON.members(of: value)).text.utf8)
  }

  private var sequence: UInt32 { UInt32(clamping: alarm.version - 1) }
}

/// A message that was read from the outbox.
enum OutboxMessage: Equatable {
  case notice(AlarmNotice)
  case withdrawal(AlarmWithdrawal)

  /// - Returns: nil for a payload that this version does not know.
  init?(_ payload: [UInt8]) {
    guard let value = try? JSONValue.parse(payload), let kind = value["kind"]?.string,
      let id = (value["alarm"] ?? value["notice"] ?? value["reminder"])?.string.flatMap({ parsedID($0) }),
      let sequence = value["sequence"]?.double.flatMap({ UInt32(exactly: $0) })
    else { return nil }
    let alarm = AlarmID(rawValue: id)
    if kind == "withdrawn" {
      guard let reason = value["reason"]?.string.flatMap(AlarmWithdrawal.Reason.init(rawValue:)) else {
        return nil
      }
      self = .withdrawal(
        AlarmWithdrawal(
          alarm: alarm, sequence: sequence, reason: reason, isOfReminder: value["reminder"] != nil))
      return
    }
    guard let message = AlarmNotice.Kind(rawValue: kind).map({ Self.message($0, value) }),
      let device = value["device_id"]?.string.flatMap({ parsedID($0) }).map(DeviceID.init(rawValue:)),
      let time = value["time"]?.string.flatMap(RFC3339.instant(from:)),
      let learnedAt = value["learned_at"]?.string.flatMap(RFC3339.instant(from:))
    else { return nil }
    var position: AlarmNotice.Position?
    if let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double,
      let place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    {
      position = .init(coordinate: place, accuracy: value["accuracy_m"]?.double.map { .metres($0) })
    }
    self = .notice(
      AlarmNotice(
        alarm: alarm, sequence: sequence, message,
        device: .init(id: device, name: value["device"]?.string ?? ""),
        time: time, learnedAt: learnedAt, distance: value["distance_m"]?.double.map { .metres($0) },
        position: position, messages: value["messages"]?.list?.compactMap(\.string) ?? [],
        sound: value["sound"]?.string,
        priority: value["priority"]?.whole.flatMap { Int32(exactly: $0) } ?? 0))
  }

  /// Reads what a notice says. This program writes all details of a kind; if one is missing, the rest is still
  /// delivered, since a lost alarm is worse than an alarm without its zone or its cause.
  private static func message(_ kind: AlarmNotice.Kind, _ value: JSONValue) -> AlarmNotice.Message {
    let zone = value["zone_id"]?.string.flatMap { parsedID($0) }.map {
      AlarmNotice.Place(id: ZoneID(rawValue: $0), name: value["zone"]?.string ?? "")
    }
    let place = zone ?? AlarmNotice.Place(id: ZoneID(rawValue: 0), name: "")
    let cause = value["cause"]?.string.flatMap { name in Cause.allNamed.first { $0.word.string == name } }
    let battery = value["battery"]?.double
    let unread = DeviceStatus.Unread.allCases.first { $0.word == value["unread"]?.string }
    switch kind {
    case .ring: return .ring(place, cause ?? .possible)
    case .repeat: return .repeat(place, cause ?? .possible)
    case .cleared:
      if let zone { return .cleared(.place(zone, cause)) }
      if let battery { return .cleared(.batteryLow(level: battery)) }
      return .cleared(unread.map { .deviceUnreadable($0) } ?? .device)
    case .missedSignal: return .missedSignal(place)
    case .deviceSilent: return .deviceSilent
    case .batteryLow: return .batteryLow(level: battery ?? 0)
    case .distress: return .distress
    case .checkInMissed: return .checkInMissed
    case .checkInOver: return .checkInOver
    case .checkInSoon: return .checkInSoon
    case .notArrived: return .notArrived(place, by: value["local_time"]?.string ?? "")
    case .arrived: return .arrived(place, at: value["local_time"]?.string ?? "")
    case .deviceUnreadable: return .deviceUnreadable(unread ?? .noKey)
    case .companionNear: return .companionNear(place)
    case .companionApart: return .companionApart(place)
    case .companionLost: return .companionLost(place)
    case .companionEnded: return .companionEnded(place)
    case .notice: return .notice(content(value), of: zone)
    case .perhaps: return .perhaps(place)
    case .reminder: return .reminder(content(value))
    case .test: return .test(content(value))
    }
  }

  private static func content(_ value: JSONValue) -> AlarmNotice.Content {
    AlarmNotice.Content(
      title: value["title"]?.string ?? "", text: value["text"]?.string ?? "",
      link: value["link"]?.string ?? "", image: value["image"]?.string ?? "")
  }
}

extension Cause {
  static let allNamed: [Cause] = [.inside, .near, .passed, .dwell, .left, .possible]
}

extension AlarmRecord {
  /// The message that the alarm rings.
  var ring: AlarmNotice.Message {
    switch subject {
    case .zone(let zone, let name, let cause): .ring(.init(id: zone, name: name.string), cause)
    case .missedSignal(let zone, let name): .missedSignal(.init(id: zone, name: name.string))
    case .silence: .deviceSilent
    case .lowBattery(let level): .batteryLow(level: level)
    case .distress: .distress
    case .missedCheckIn: .checkInMissed
    case .notArrived(let missing): .notArrived(missing.place, by: missing.clock)
    case .unreadable(let why): .deviceUnreadable(why)
    case .companion(let id, let name, let news):
      switch news {
      case .near: .companionNear(.init(id: id.zone, name: name.string))
      case .apart: .companionApart(.init(id: id.zone, name: name.string))
      case .lost: .companionLost(.init(id: id.zone, name: name.string))
      case .ended: .companionEnded(.init(id: id.zone, name: name.string))
      }
    }
  }

  /// The message that it still rings. An alarm that is not about a zone rings anew.
  var repeated: AlarmNotice.Message {
    if case .zone(let zone, let name, let cause) = subject {
      .repeat(.init(id: zone, name: name.string), cause)
    } else {
      ring
    }
  }

  /// The message that it is over.
  var cleared: AlarmNotice.Message {
    switch subject {
    case .zone(let zone, let name, let cause): .cleared(.place(.init(id: zone, name: name.string), cause))
    case .missedSignal(let zone, let name): .cleared(.place(.init(id: zone, name: name.string), nil))
    case .notArrived(let missing): .cleared(.place(missing.place, nil))
    case .companion(let id, let name, _): .cleared(.place(.init(id: id.zone, name: name.string), nil))
    case .lowBattery(let level): .cleared(.batteryLow(level: level))
    case .unreadable(let why): .cleared(.deviceUnreadable(why))
    case .silence, .distress, .missedCheckIn: .cleared(.device)
    }
  }
}

extension AlarmRecord.NotArrived {
  var place: AlarmNotice.Place { .init(id: zone, name: name.string) }
  /// The time of day by which the phone was to arrive: "08:00".
  package var clock: String { ArrivalTimes.clock(minute: minute) }
}
