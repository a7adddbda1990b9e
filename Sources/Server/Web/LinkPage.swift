import AlarmEngine
import Formats
import Store

/// The page behind a link of a message: what rings, and one button. Needs no script.
enum LinkPage {
  static func markup(alarm: AlarmRecord, button: String?, note: String) -> String {
    let name: String
    switch alarm.subject {
    case .zone(_, let zone, _), .missedSignal(_, let zone): name = zone.string
    case .silence: name = "A device is silent"
    }
    return """
      <!doctype html>
      <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>\(escaped(name))</title>
        <link rel="stylesheet" href="/start.css">
      </head>
      <body>
        <h1>\(escaped(name.isEmpty ? "Alarm" : name))</h1>
        <p>Since \(RFC3339.string(from: alarm.began)), rang \(alarm.rings) \(alarm.rings == 1 ? "time" : "times").</p>
        \(note.isEmpty ? "" : "<p role=\"status\">\(escaped(note))</p>")
        \(button.map { "<form method=\"post\"><button autofocus>\(escaped($0))</button></form>" } ?? "")
        <p><a href="/">Open Proximity Alarm</a></p>
      </body>
      </html>

      """
  }

  static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
