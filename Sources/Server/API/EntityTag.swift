/// The tags that name revisions (RFC 9110, 8.8.3).
enum EntityTag {
  static func text(revision: Int64) -> String { "\"\(revision)\"" }

  /// The revision that `If-Match` names.
  /// - Returns: nil unless it is one strong tag of ours.
  static func revision(_ header: String) -> Int64? {
    let text = header.drop { $0 == " " }
    guard text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 2 else { return nil }
    return Int64(text.dropFirst().dropLast())
  }

  /// True if a list of tags, or `*`, contains this one; weak and strong tags match here (RFC 9110, 13.1.2).
  static func list(_ header: String, contains tag: String) -> Bool {
    let bare = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    return header.split(separator: ",").contains { entry in
      var entry = entry.drop { $0 == " " }
      while entry.last == " " { entry.removeLast() }
      if entry.hasPrefix("W/") { entry = entry.dropFirst(2) }
      return entry == "*" || entry == bare
    }
  }
}
