import AlarmEngine
import AlarmService
import Formats
import Store

/// The page behind a link in a message: the alarm, and the link's one button with its effect.
enum LinkPage {
  static let over = "The alarm is over."

  static func label(_ answer: AlarmAnswer) -> String {
    switch answer {
    case .acknowledge: "Stop"
    case .sleep: "Sleep"
    case .close: "Close"
    case .today: "Sleep for today"
    }
  }

  private static func effect(_ answer: AlarmAnswer) -> String {
    switch answer {
    case .acknowledge: "The alarm is quiet until this visit is over."
    case .sleep: "The alarm is quiet for its sleep time, and then rings again."
    case .close: "The notification goes. The alarm sounds again until somebody answers it or it is over."
    case .today: "The alarm is quiet until midnight."
    }
  }

  /// - Parameter answer: the effect of the button; nil shows no button.
  static func markup(alarm: AlarmRecord, answer: AlarmAnswer? = nil, note: String) -> String {
    let name: String
    switch alarm.subject {
    case .zone(_, let zone, _), .missedSignal(_, let zone): name = zone.string
    case .silence: name = "A device is silent"
    case .lowBattery: name = "A phone's battery is low"
    case .distress: name = "SOS"
    case .missedCheckIn(let note, _): name = note.isEmpty ? "Not back" : "Not back: \(note.string)"
    case .notArrived(let missing):
      name = "Not arrived at \(missing.name.isEmpty ? "the zone" : missing.name.string) by \(missing.clock)"
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
    if let answer {
      lines += [PlainPage.button(label(answer)), PlainPage.paragraph(effect(answer))]
    }
    return PlainPage.markup(title: title, lines: lines)
  }
}
