import AlarmEngine

/// What a zone shows on entry (S188), as a page. Needs no script; the button counts an opening.
enum NoticePage {
  /// - Parameter isOpened: shows the link, and goes there by itself.
  static func markup(notice: Notice, zone: String, isOpened: Bool) -> String {
    let title = notice.title.isEmpty ? (zone.isEmpty ? "Notice" : zone) : notice.title.string
    let link = followable(notice.link.string)
    var lines = [PlainPage.heading(title)]
    lines += notice.text.string.split(separator: "\n").map { PlainPage.paragraph(String($0)) }
    if let image = followable(notice.image.string) { lines.append(PlainPage.anchor(image, "Picture")) }
    if isOpened {
      lines.append(link.map { PlainPage.anchor($0, $0) } ?? PlainPage.status("Noted."))
    } else {
      lines.append(PlainPage.button(link == nil ? "Noted" : "Open"))
    }
    return PlainPage.markup(title: title, lines: lines, onward: isOpened ? link : nil)
  }

  /// Only addresses of the web: whatever else a person has typed is no link.
  private static func followable(_ text: String) -> String? {
    let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
    return isWeb && text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) ? text : nil
  }
}
