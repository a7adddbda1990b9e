import AlarmEngine

/// What a zone shows on entry (S188), as a page. Needs no script; the button counts an opening.
enum NoticePage {
  /// - Parameter isOpened: shows the link, and goes there by itself.
  static func markup(notice: Notice, zone: String, isOpened: Bool) -> String {
    let title = notice.title.isEmpty ? (zone.isEmpty ? "Notice" : zone) : notice.title.string
    let link = followable(notice.link.string)
    let paragraphs = notice.text.string.split(separator: "\n").map {
      "<p>\(LinkPage.escaped(String($0)))</p>"
    }
    var lines = ["<h1>\(LinkPage.escaped(title))</h1>"] + paragraphs
    if let image = followable(notice.image.string) { lines.append(anchor(image, "Picture")) }
    if isOpened {
      lines.append(link.map { anchor($0, $0) } ?? "<p role=\"status\">Noted.</p>")
    } else {
      lines.append(
        "<form method=\"post\"><button autofocus>\(link == nil ? "Noted" : "Open")</button></form>")
    }
    let onward = isOpened ? link : nil
    return """
      <!doctype html>
      <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>\(LinkPage.escaped(title))</title>
        \(onward.map { "<meta http-equiv=\"refresh\" content=\"0; url=\(LinkPage.escaped($0))\">" } ?? "")
        <link rel="stylesheet" href="/start.css">
      </head>
      <body>
        \(lines.joined(separator: "\n  "))
        <p><a href="/">Open Proximity Alarm</a></p>
      </body>
      </html>

      """
  }

  /// Only addresses of the web: whatever else a person has typed is no link.
  private static func followable(_ text: String) -> String? {
    let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
    return isWeb && text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) ? text : nil
  }

  private static func anchor(_ url: String, _ words: String) -> String {
    "<p><a rel=\"noreferrer noopener\" href=\"\(LinkPage.escaped(url))\">\(LinkPage.escaped(words))</a></p>"
  }
}
