import AlarmEngine
import Formats
import Geometry
import Store

/// A notice as JSON, with the same members on every channel that carries our own JSON. Unknown and withheld
/// values are left out.
package enum NoticeJSON {
  package static func members(of notice: AlarmNotice) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      (subject(of: notice.kind), .string("\(notice.alarm)")),
      ("sequence", .integer(Int64(notice.sequence))),
      ("kind", .string(notice.kind.rawValue)), ("time", .string(RFC3339.string(from: notice.time))),
      ("learned_at", .string(RFC3339.string(from: notice.learnedAt))),
      ("device", .string(notice.device.name)), ("device_id", .string("\(notice.device.id)")),
      ("priority", .integer(Int64(notice.priority))),
    ]
    if let zone = notice.zone {
      members += [("zone", .string(zone.name)), ("zone_id", .string("\(zone.id)"))]
    }
    if let cause = notice.cause { members.append(("cause", .string(cause.word.string))) }
    if let distance = notice.distance { members.append(("distance_m", .number(distance.metres))) }
    if let position = notice.position {
      members += [
        ("latitude", .number(position.coordinate.latitude.degrees)),
        ("longitude", .number(position.coordinate.longitude.degrees)),
      ]
      if let accuracy = position.accuracy { members.append(("accuracy_m", .number(accuracy.metres))) }
    }
    if let battery = notice.battery { members.append(("battery", .number(battery))) }
    if let time = notice.localTime { members.append(("local_time", .string(time))) }
    if let unread = notice.unread { members.append(("unread", .string(unread.word))) }
    if !notice.messages.isEmpty { members.append(("messages", .array(notice.messages.map { .string($0) }))) }
    if let sound = notice.sound { members.append(("sound", .string(sound))) }
    if let content = notice.content {
      for (name, text) in [
        ("title", content.title), ("text", content.text), ("link", content.link), ("image", content.image),
      ] where !text.isEmpty { members.append((name, .string(text))) }
    }
    let links = links(of: notice.links)
    if !links.isEmpty { members.append(("links", .object(links))) }
    return members
  }

  /// The member that holds the id of what the notice is about.
  private static func subject(of kind: AlarmNotice.Kind) -> String {
    kind == .reminder ? "reminder" : kind.onlyShows ? "notice" : "alarm"
  }

  /// The members that say where the phone is. The text of a reminder names the place that it is near.
  package static func positions(in kind: AlarmNotice.Kind) -> Set<String> {
    let always: Set<String> = ["latitude", "longitude", "accuracy_m", "distance_m"]
    return kind == .reminder ? always.union(["text"]) : always
  }

  package static func members(of withdrawal: AlarmWithdrawal) -> [(String, JSONValue)] {
    [
      (withdrawal.isOfReminder ? "reminder" : "alarm", .string("\(withdrawal.alarm)")),
      ("sequence", .integer(Int64(withdrawal.sequence))),
      ("kind", .string("withdrawn")), ("reason", .string(withdrawal.reason.rawValue)),
    ]
  }

  package static func links(of links: AlarmNotice.Links) -> [(String, JSONValue)] {
    [
      ("open", links.open), ("close", links.close), ("sleep", links.sleep),
      ("acknowledge", links.acknowledge),
      ("for_today", links.forToday), ("done", links.done), ("snooze", links.snooze),
    ].compactMap { name, url in url.map { (name, .string($0)) } }
  }
}
