import AlarmEngine

/// The id and properties of another program that `Zone` has no fields for, kept so that they can be written
/// again.
public struct ForeignMembers: Sendable {
  package var id: JSONValue?
  package var properties: [(String, JSONValue)]

  package init(id: JSONValue? = nil, properties: [(String, JSONValue)]) {
    self.id = id
    self.properties = properties
  }

  package var isEmpty: Bool { id == nil && properties.isEmpty }

  /// Returns a warning that names the members a format cannot hold; nil if there are none.
  package static func leftOut(_ members: [ForeignMembers], by format: String) -> ReadIssue? {
    var names: [String] = []
    var seen: Set<String> = []
    for member in members {
      for (name, _) in member.properties where seen.insert(name).inserted { names.append(name) }
    }
    let ids = members.count { $0.id != nil }
    var parts: [String] = []
    if !names.isEmpty {
      let told = names.prefix(namesTold).map { "\"\($0.prefix(60))\"" }.joined(separator: ", ")
      let more = names.count > namesTold ? " and \(names.count - namesTold) more" : ""
      parts.append("properties of other programs (\(told)\(more))")
    }
    if ids > 0 { parts.append(ids == 1 ? "an id of another program" : "\(ids) ids of other programs") }
    guard !parts.isEmpty else { return nil }
    return ReadIssue(
      .warning, "\(parts.joined(separator: " and ")) left out: \(format) cannot store them")
  }
  private static let namesTold = 8
}
