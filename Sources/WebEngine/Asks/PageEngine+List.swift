import AlarmEngine
import Geometry

extension PageEngine {
  private enum Order: CaseIterable {
    case distance, category, priority, name

    var word: Text {
      switch self {
      case .distance: "distance"
      case .category: "category"
      case .priority: "priority"
      case .name: "name"
      }
    }
  }
  private enum Grouping: CaseIterable {
    case active, category, priority

    var word: Text {
      switch self {
      case .active: "active"
      case .category: "category"
      case .priority: "priority"
      }
    }
  }

  /// All zones by `group`: `active` (`on`, `asleep`, `off`; the default), `category` (by name; those that are switched off
  /// are one group after them, with `off`) or `priority` (`critical`, `high`, `normal`, `low`); in each by `order`: `distance` (the default; as by priority where there is no
  /// position), `name`, `priority`, or `category` and then priority. A `search` keeps the zones that have all its words
  /// somewhere in name, category, notice or messages. Zones without an area come last, as `refused`.
  ///
  /// Each of `groups` has its `name` and its `ids`; `found` counts them, `total` all zones.
  func list(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let order = try Self.order(fields)
    let grouping = try Self.grouping(fields)
    let search = SearchWords(try fields.asked(text: "search") ?? .empty)
    let timeline = try opened()
    let surroundings = timeline.surroundings(at: now)
    let zones = timeline.zones
    let place = timeline.position?.position
    let states = Self.states(timeline)
    var entries: [ListEntry] = []
    for slot in surroundings.slots where search.isIn(zones[slot.index]) {
      let zone = zones[slot.index]
      let (name, rank) = Self.group(of: zone, by: grouping, states[zone.id])
      var entry = ListEntry(group: name, rank: rank, slot: slot)
      entry.priority = zone.priority
      entry.name = SearchWords.numbered(zone.name)
      switch order {
      case .priority: break
      case .name: entry.word = entry.name
      case .category: entry.word = zone.category
      case .distance: if let place { entry.metres = surroundings.nearby(slot, from: place).toEdge.metres }
      }
      entries.append(entry)
    }
    ListEntry.sort(&entries)
    var groups: [PageValue] = []
    var ids: [PageValue] = []
    for index in entries.indices {
      ids.append(Self.id(zones[entries[index].slot.index].id))
      if index + 1 < entries.count, entries[index].isGrouped(with: entries[index + 1]) { continue }
      groups.append(Self.form(entries[index].group, ids, isOff: entries[index].rank == Self.offRank))
      ids = []
    }
    let refused =
      timeline.refusedZones.map { Self.id($0.zone) } + refusedForms.map { PageValue.text($0.id) }
    if search.isEmpty, !refused.isEmpty {
      groups.append(Self.form("refused", refused))
    }
    return .map([
      .init("groups", .list(groups)), .init("found", .integer(Int64(entries.count))),
      .init("total", .integer(Int64(zones.count + refused.count))),
    ])
  }

  /// Returns the alarm states of all zones that are not idle.
  static func states(_ timeline: Timeline) -> [ZoneID: AlarmState] {
    var states: [ZoneID: AlarmState] = [:]
    for (zone, state) in timeline.states { states[zone] = state }
    return states
  }

  static func isQuiet(_ state: AlarmState?) -> Bool {
    switch state {
    case .asleep, .acknowledged: true
    case .ringing, .dwelling, .confirming, .present, .idle, nil: false
    }
  }

  private static func order(_ fields: Fields) throws(Refusal) -> Order {
    guard let word = try fields.asked(text: "order") else { return .distance }
    for order in Order.allCases where order.word == word { return order }
    throw .field(.init("order", .unknownWord))
  }

  private static func grouping(_ fields: Fields) throws(Refusal) -> Grouping {
    guard let word = try fields.asked(text: "group") else { return .active }
    for grouping in Grouping.allCases where grouping.word == word { return grouping }
    throw .field(.init("group", .unknownWord))
  }

  private static func id(_ zone: ZoneID) -> PageValue { .text(Text(zone.description)) }

  private static func form(_ name: Text, _ ids: [PageValue], isOff: Bool = false) -> PageValue {
    .map([.init("name", .text(name)), .init("ids", .list(ids))] + (isOff ? [.init("off", .bool(true))] : []))
  }

  /// The place among the groups of zones that are switched off; a category may have any name.
  private static let offRank = 4

  private static func group(
    of zone: Zone, by grouping: Grouping, _ state: AlarmState?
  ) -> (name: Text, rank: Int) {
    switch grouping {
    case .active: !zone.active ? ("off", offRank) : isQuiet(state) ? ("asleep", 1) : ("on", 0)
    // Zones without a category come after the others.
    case .category: !zone.active ? ("off", offRank) : (zone.category, zone.category.isEmpty ? 1 : 0)
    case .priority: (urgency(zone.priority), Int(3 - max(0, min(3, zone.priority))))
    }
  }

  /// A priority in a word: 3 and more are critical, 0 and less low.
  static func urgency(_ priority: Int32) -> Text {
    switch priority {
    case ...0: "low"
    case 1: "normal"
    case 2: "high"
    default: "critical"
    }
  }

  /// The rows of the zones named, in the order named; ids that are no zone's are left out.
  func rows(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let timeline = try opened()
    let surroundings = timeline.surroundings(at: now)
    let place = timeline.position?.position
    var rows: [PageValue] = []
    for value in try fields.asked(list: "ids") {
      guard let text = value.text, let id = ZoneID(hexadecimal: text) else {
        throw .field(.init("ids", .wrongKind))
      }
      if let slot = surroundings.slot(of: id) {
        rows.append(row(of: slot, from: place, surroundings))
      } else if let error = timeline.refusedZones.first(where: { $0.zone == id })?.error {
        rows.append(.map([.init("id", .text(text)), .init("state", .text("refused"))] + error.entries))
      } else if let form = refusedForms.first(where: { $0.id == text }) {
        rows.append(
          .map(
            [
              .init("id", .text(text)), .init("state", .text("refused")), .init("name", .text(form.name)),
            ] + form.error.entries))
      }
    }
    return .map([.init("rows", .list(rows))])
  }

  /// The zones nearest to a place by their alert line, `count` of them (all, when absent), whether they watch or not.
  func locate(_ fields: Fields) throws(Refusal) -> PageValue {
    let place = try fields.place("place")
    let now = try fields.now()
    let count = Int(try fields.asked(number: "count", 1...1e9) ?? 1e9)
    let surroundings = try opened().surroundings(at: now)
    var near: [ListEntry] = []
    for slot in surroundings.slots {
      var entry = ListEntry(group: .empty, rank: 0, slot: slot)
      entry.metres = surroundings.nearby(slot, from: place).toAlert.metres
      near.append(entry)
    }
    ListEntry.sort(&near)
    var rows: [PageValue] = []
    for entry in near.prefix(count) { rows.append(row(of: entry.slot, from: place, surroundings)) }
    return .map([.init("rows", .list(rows))])
  }
}

/// A zone with what it is put in order by: its group first, then a word or a distance, then how urgent it is, then its name.
///
/// One type and one sort for every order: each further sort of the library's would be some kilobytes more to load.
private struct ListEntry: Comparable {
  let group: Text
  let rank: Int
  let slot: ZoneSlot
  var word = Text.empty
  var metres = 0.0
  var priority: Int32 = 0
  var name = Text.empty

  func isGrouped(with other: Self) -> Bool { rank == other.rank && group == other.group }

  static func < (a: Self, b: Self) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    if a.group != b.group { return a.group < b.group }
    if a.word != b.word { return a.word < b.word }
    if a.metres != b.metres { return a.metres < b.metres }
    if a.priority != b.priority { return a.priority > b.priority }
    if a.name != b.name { return a.name < b.name }
    return a.slot < b.slot
  }

  /// Heapsort: no two entries are equal, so nothing has to be stable.
  static func sort(_ entries: inout [Self]) {
    var order = Array(entries.indices)
    var start = order.count / 2
    var end = order.count
    while end > 1 {
      if start > 0 {
        start -= 1
      } else {
        end -= 1
        order.swapAt(0, end)
      }
      sink(start, below: end, &order, entries)
    }
    entries = order.map { entries[$0] }
  }

  /// Lets an entry sink until none below it comes after it.
  private static func sink(_ start: Int, below end: Int, _ order: inout [Int], _ entries: [Self]) {
    var root = start
    while 2 * root + 1 < end {
      var child = 2 * root + 1
      if child + 1 < end, entries[order[child]] < entries[order[child + 1]] { child += 1 }
      guard entries[order[root]] < entries[order[child]] else { return }
      order.swapAt(root, child)
      root = child
    }
  }
}

/// The words of a search, compared byte by byte but for the size of Latin letters.
struct SearchWords {
  private let words: [[UInt8]]

  init(_ text: Text) {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    for byte in Self.small(text) + [UInt8(ascii: " ")] {
      if byte != UInt8(ascii: " ") {
        word.append(byte)
      } else if !word.isEmpty {
        words.append(word)
        word = []
      }
    }
    self.words = words
  }

  var isEmpty: Bool { words.isEmpty }

  func isIn(_ zone: Zone) -> Bool {
    guard !words.isEmpty else { return true }
    var texts = [zone.name, zone.category]
    if let notice = zone.notice { texts += [notice.title, notice.text] }
    for message in zone.messages { texts += [message.toMoniker, message.supplement] }
    for index in texts.indices { texts[index] = Text(utf8: Self.small(texts[index])) }
    for word in words {
      var isFound = false
      for text in texts where !isFound { isFound = Self.isIn(text.utf8, word) }
      if !isFound { return false }
    }
    return true
  }

  private static func isIn(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    var start = 0
    while start + word.count <= text.count {
      var length = 0
      while length < word.count, text[start + length] == word[length] { length += 1 }
      if length == word.count { return true }
      start += 1
    }
    return false
  }

  /// A name as names are put in order: letters of one size, and before a number without its zeros how many digits it has, so that
  /// 10 comes after 2.
  static func numbered(_ name: Text) -> Text {
    var bytes: [UInt8] = []
    var length: Int?
    for byte in small(name) {
      guard (48...57).contains(byte) else {
        length = nil
        bytes.append(byte)
        continue
      }
      let start = length ?? bytes.count
      if length == nil { bytes.append(47) }
      length = start
      if byte == 48, bytes[start] == 47 { continue }
      bytes[start] &+= 1
      bytes.append(byte)
    }
    return Text(utf8: bytes)
  }

  /// A to Z, and À to Þ, which UTF-8 writes as 195 and a second byte.
  private static func small(_ text: Text) -> [UInt8] {
    var bytes = text.utf8
    for index in bytes.indices {
      let byte = bytes[index]
      if (65...90).contains(byte) { bytes[index] = byte + 32 }
      if index > 0, bytes[index - 1] == 195, (128...158).contains(byte), byte != 151 {
        bytes[index] = byte + 32
      }
    }
    return bytes
  }
}
