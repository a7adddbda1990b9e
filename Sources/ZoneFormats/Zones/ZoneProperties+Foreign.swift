import AlarmEngine

extension ZoneProperties {
  /// One sentence for each property that looks like a misspelt one of ours: a misspelt margin has no effect.
  package var mistyped: [String] { keys.compactMap(mistyped) }

  private func mistyped(_ key: String) -> String? {
    guard !Self.known.contains(key), key.utf8.count >= 4 else { return nil }
    let plain = String(key.prefix(60).lowercased().map { $0 == "-" ? "_" : $0 })
    let isOurs = plain.hasPrefix("alarm_")
    if let member = Self.namedDifferently[isOurs ? String(plain.dropFirst(6)) : plain] {
      guard isOurs || isMeant(key, as: member) else { return nil }
      return Self.words(key, Self.name(member))
    }
    if isOurs { return Self.words(key, nearestName(to: plain, among: Self.written)) }
    // Most properties belong to other programs, so only a close match counts.
    if plain.hasPrefix("al"), plain.utf8.count >= 8,
      let near = indexOfNearestName(to: Array(plain.utf8), among: Self.writtenLetters, atMost: 2)
    {
      return Self.words(key, Self.written[near])
    }
    guard Self.saidWithoutPrefix.contains(plain),
      let member = ZoneMember.allCases.first(where: { Self.name($0) == "alarm_\(plain)" }),
      isMeant(key, as: member)
    else { return nil }
    return Self.words(key, Self.name(member))
  }

  private static func words(_ key: String, _ meant: String?) -> String {
    "\(key.prefix(60)) found, which is not known" + (meant.map { "; did you mean \($0)?" } ?? "")
  }

  private static let known = Set(
    ZoneMember.allCases.flatMap { $0.propertyNames.map { $0.string } } + ["alarm_id"])
  private static let written = ZoneMember.allCases.map(name).filter { $0.hasPrefix("alarm_") }
  private static let writtenLetters = written.map { Array($0.utf8) }

  /// Common wrong names of members, with `alarm_` before them or without.
  private static let namedDifferently: [String: ZoneMember] = {
    var named: [String: ZoneMember] = ["inset": .inset]
    for (member, word) in times {
      named["\(word.dropLast())time"] = member
      named["\(word.dropLast())time_s"] = member
    }
    return named
  }()
  private static let saidWithoutPrefix = Set(["assurance"] + times.map { $0.word })
  /// The members that are times, whose words end in `_s`.
  private static let times = ZoneMember.allCases.filter { $0.number?.unit == .seconds }
    .map { (member: $0, word: $0.word.string) }

  /// True if the value fits the member. Without our prefix, a name is otherwise another program's.
  private func isMeant(_ key: String, as member: ZoneMember) -> Bool {
    if member.number != nil { return double(values[key]) != nil }
    if member == .assurance { return string(key).flatMap { Assurance(word: Text($0.lowercased())) } != nil }
    return true
  }

  /// The properties of other programs, in the order of the file.
  package var foreign: [(String, JSONValue)] {
    keys.compactMap { key in
      guard !Self.ours.contains(key), let value = values[key] else { return nil }
      return (key, value)
    }
  }

  /// All names of all members, but of name and category only the main one: their other names are kept as
  /// foreign.
  private static let ours: Set<String> = {
    var ours: Set<String> = ["name", "category"]
    for member in ZoneMember.allCases where member != .name && member != .category {
      ours.formUnion(member.propertyNames.map { $0.string })
    }
    return ours
  }()
}
