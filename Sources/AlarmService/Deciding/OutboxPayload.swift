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

  func notice(_ kind: AlarmNotice.Kind) -> [UInt8] {
    Array(JSONValue.object(NoticeJSON.members(of: value(kind))).text.utf8)
  }

  func value(_ kind: AlarmNotice.Kind) -> AlarmNotice {
    var cause: Cause?
    var name = Text.empty
    var battery: Double?
    var unread: DeviceStatus.Unread?
    switch alarm.subject {
    case .zone(_, let called, let why): (name, cause) = (called, why)
    case .missedSignal(_, let called): name = called
    case .lowBattery(let level): battery = level
    case .companion(_, let called, _): name = called
    case .unreadable(let why): unread = why
    case .silence, .distress: break
    }
    let place = (alarm.zone ?? alarm.companion?.zone).map { AlarmNotice.Place(id: $0, name: name.string) }
    let texts = (zone?.messages ?? []).map(\.supplement.string).filter { !$0.isEmpty }
    let sound = zone.flatMap { $0.soundName.isEmpty ? nil : $0.soundName.string }
    return AlarmNotice(
      alarm: alarm.id, sequence: sequence, kind: kind, zone: place,
      device: .init(id: device.id, name: device.name), cause: cause, time: alarm.began,
      learnedAt: alarm.learnedAt, distance: alarm.distance,
      position: alarm.position.map { .init(coordinate: $0, accuracy: accuracy) }, messages: texts,
      sound: sound,
      priority: zone?.priority ?? 0, battery: battery, unread: unread)
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
    guard let kind = AlarmNotice.Kind(rawValue: kind),
      let device = value["device_id"]?.string.flatMap({ parsedID($0) }).map(DeviceID.init(rawValue:)),
      let time = value["time"]?.string.flatMap(RFC3339.instant(from:)),
      let learnedAt = value["learned_at"]?.string.flatMap(RFC3339.instant(from:))
    else { return nil }
    let zone = value["zone_id"]?.string.flatMap { parsedID($0) }.map {
      AlarmNotice.Place(id: ZoneID(rawValue: $0), name: value["zone"]?.string ?? "")
    }
    var position: AlarmNotice.Position?
    if let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double,
      let place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    {
      position = .init(coordinate: place, accuracy: value["accuracy_m"]?.double.map { .metres($0) })
    }
    self = .notice(
      AlarmNotice(
        alarm: alarm, sequence: sequence, kind: kind, zone: zone,
        device: .init(id: device, name: value["device"]?.string ?? ""),
        cause: value["cause"]?.string.flatMap { name in Cause.allNamed.first { $0.word.string == name } },
        time: time,
        learnedAt: learnedAt, distance: value["distance_m"]?.double.map { .metres($0) }, position: position,
        messages: value["messages"]?.list?.compactMap(\.string) ?? [], sound: value["sound"]?.string,
        priority: value["priority"]?.whole.flatMap { Int32(exactly: $0) } ?? 0,
        content: kind.hasContent ? Self.content(value) : nil,
        battery: value["battery"]?.double,
        unread: DeviceStatus.Unread.allCases.first { $0.word == value["unread"]?.string }))
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

extension AlarmNotice {
  /// The notice with the links and the zone that are added when it is delivered.
  func with(links: Links, pad: [UInt8]?) -> Self {
    AlarmNotice(
      alarm: alarm, sequence: sequence, kind: kind,
      zone: zone.map { Place(id: $0.id, name: $0.name, pad: pad) }, device: device, cause: cause, time: time,
      learnedAt: learnedAt, distance: distance, position: position, messages: messages, sound: sound,
      priority: priority, links: links, content: content, battery: battery,
      unread: unread)
  }
}
