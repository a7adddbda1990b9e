import AlarmEngine
import Geometry

/// The places of a reminder as zones, watched like any other zone. Near one of them the phone shows the list
/// once a visit, as that zone's notice. It begins no alarm that a person has to answer.
///
/// Such zones are marked by a row that no page gives to its own zones (``without(_:)``).
public enum ReminderZone {
  private static let mark: Text = "PhoneReminder"
  /// The most places watched: those nearest to the phone.
  static let most = 1000

  /// - Parameter place: the position of the phone, if known.
  public static func zones(of reminders: [Reminder], near place: Coordinate?) -> [Zone] {
    var all: [(distance: Double, zone: Zone)] = []
    for reminder in reminders where reminder.state == .active {
      var open: [UInt8] = []
      for item in reminder.items where !item.done && !item.text.utf8.isEmpty {
        open += (open.isEmpty ? [] : Array(", ".utf8)) + item.text.utf8
      }
      for branch in reminder.places {
        guard let zone = zone(of: reminder, at: branch, open) else { continue }
        all.append((place.map { branch.coordinate.distance(to: $0).metres } ?? 0, zone))
      }
    }
    all.sort { $0.distance == $1.distance ? $0.zone.id < $1.zone.id : $0.distance < $1.distance }
    return all.prefix(most).map { $0.zone }
  }

  /// "Shopping", and "Market hall: milk, bread".
  private static func zone(of reminder: Reminder, at branch: Reminder.Place, _ open: [UInt8]) -> Zone? {
    let name = branch.name.utf8
    let colon = name.isEmpty || open.isEmpty ? [] : Array(": ".utf8)
    let title = reminder.title.utf8.isEmpty ? branch.name : reminder.title
    var key = Array(mark.utf8) + Array(reminder.id.description.utf8) + name
    for number in [branch.coordinate.latitude.degrees, branch.coordinate.longitude.degrees] {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        key.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
      }
    }
    var draft = ZoneDraft(
      id: ZoneID.derived(from: key), name: title, size: reminder.radius,
      outline: .locations([branch.coordinate]))
    draft.trigger = .enter(passingCounts: false)
    draft.assurance = .relaxed
    draft.notice = Notice(title: title, text: Text(utf8: name + colon + open))
    draft.unknownRows = [row(of: Text(utf8: Array(reminder.id.description.utf8)))]
    return try? Zone(draft)
  }

  /// Returns the id of the reminder to which the zone belongs; nil for any other zone.
  static func reminder(of zone: Zone) -> Text? {
    guard let row = zone.unknownRows.first, row.count == 2, row[0] == mark else { return nil }
    return row[1]
  }

  /// The row that marks the zones of a reminder.
  static func row(of reminder: Text) -> [Text] { [mark, reminder] }

  public static func isOne(_ zone: Zone) -> Bool { reminder(of: zone) != nil }

  /// Returns the zone as an ordinary one that rings, without the mark that a file may have given it.
  public static func without(_ zone: Zone) -> Zone {
    guard isOne(zone) else { return zone }
    var draft = zone.draft
    draft.unknownRows.removeFirst()
    return (try? Zone(draft)) ?? zone
  }
}
