import AlarmEngine
import Formats
import Store

/// The page behind a link of a message: what rings, and one button.
enum LinkPage {
  static func markup(alarm: AlarmRecord, button: String?, note: String) -> String {
    let name: String
    switch alarm.subject {
    case .zone(_, let zone, _), .missedSignal(_, let zone): name = zone.string
    case .silence: name = "A device is silent"
    case .lowBattery: name = "A phone's battery is low"
    case .distress: name = "SOS"
    case .unreadable: name = "A phone cannot be read"
    case .companion(_, let who, .near): name = "\(who.string) is near"
    case .companion(_, let who, .apart): name = "\(who.string) is away"
    case .companion(_, let who, .lost): name = "\(who.string): no position"
    case .companion(_, let who, .ended): name = "\(who.string): no longer watched"
    }
    let title = name.isEmpty ? "Alarm" : name
    let times = alarm.rings == 1 ? "time" : "times"
    var lines = [
      PlainPage.heading(title),
      PlainPage.paragraph("Since \(RFC3339.string(from: alarm.began)), rang \(alarm.rings) \(times)."),
    ]
    if !note.isEmpty { lines.append(PlainPage.status(note)) }
    if let button { lines.append(PlainPage.button(button)) }
    return PlainPage.markup(title: title, lines: lines)
  }
}
