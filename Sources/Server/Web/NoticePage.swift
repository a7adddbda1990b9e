import AlarmEngine

/// The notice of a zone on entry (S188), as a page. It needs no script; the button counts an opening.
enum NoticePage {
  /// - Parameter isOpened: shows the link and redirects to it.
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

  /// Only web addresses become links; any other text that a person has typed does not.
  private static func followable(_ text: String) -> String? {
    let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
    return isWeb && text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) ? text : nil
  }
}
