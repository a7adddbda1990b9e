/// A page behind a link in a message: a few lines, without script.
enum PlainPage {
  /// - Parameters:
  ///   - title: text, escaped here.
  ///   - lines: markup of the body.
  ///   - onward: an address to which the page redirects.
  static func markup(title: String, lines: [String], onward: String? = nil) -> String {
    let refresh = onward.map { ["<meta http-equiv=\"refresh\" content=\"0; url=\(escaped($0))\">"] } ?? []
    let head =
      [
        "<meta charset=\"utf-8\">",
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
        "<meta name=\"robots\" content=\"noindex\">", "<title>\(escaped(title))</title>",
      ] + refresh + ["<link rel=\"stylesheet\" href=\"/start.css\">"]
    return """
      <!doctype html>
      <html lang="en">
      <head>
        \(head.joined(separator: "\n  "))
      </head>
      <body>
        \((lines + ["<p><a href=\"/\">Open Proximity Alarm</a></p>"]).joined(separator: "\n  "))
      </body>
      </html>

      """
  }

  static func paragraph(_ text: String) -> String { "<p>\(escaped(text))</p>" }

  static func heading(_ text: String) -> String { "<h1>\(escaped(text))</h1>" }

  /// A sentence about the completed action.
  static func status(_ text: String) -> String { "<p role=\"status\">\(escaped(text))</p>" }

  /// The page's only action: posts to its own address.
  static func button(_ text: String) -> String {
    "<form method=\"post\"><button autofocus>\(escaped(text))</button></form>"
  }

  static func anchor(_ url: String, _ words: String) -> String {
    "<p><a rel=\"noreferrer noopener\" href=\"\(escaped(url))\">\(escaped(words))</a></p>"
  }

  private static func escaped(_ text: String) -> String {
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
