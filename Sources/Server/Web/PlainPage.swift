import Formats

/// A page behind a link in a message: a few lines, without script.
enum PlainPage {
  /// - Parameters:
  ///   - title: text, escaped here.
  ///   - lines: markup of the body.
  ///   - onward: an address to which the page redirects.
  static func markup(title: String, lines: [String], onward: String? = nil) -> String {
    let refresh =
      onward.map { ["<meta http-equiv=\"refresh\" content=\"0; url=\(HTMLText.escaped($0))\">"] } ?? []
    let head =
      [
        "<meta charset=\"utf-8\">",
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
        "<meta name=\"robots\" content=\"noindex\">", "<title>\(HTMLText.escaped(title))</title>",
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

  static func paragraph(_ text: String) -> String { "<p>\(HTMLText.escaped(text))</p>" }

  static func heading(_ text: String) -> String { "<h1>\(HTMLText.escaped(text))</h1>" }

  /// A sentence about the completed action.
  static func status(_ text: String) -> String { "<p role=\"status\">\(HTMLText.escaped(text))</p>" }

  /// The page's action: posts to its own address.
  /// - Parameter address: a query of that address, for one of several actions; nil for the only one.
  static func button(_ text: String, to address: String? = nil) -> String {
    let (action, focus) = address.map { (" action=\"\(HTMLText.escaped($0))\"", "") } ?? ("", " autofocus")
    return "<form method=\"post\"\(action)><button\(focus)>\(HTMLText.escaped(text))</button></form>"
  }

  static func anchor(_ url: String, _ words: String) -> String {
    "<p><a rel=\"noreferrer noopener\" href=\"\(HTMLText.escaped(url))\">\(HTMLText.escaped(words))</a></p>"
  }
}
