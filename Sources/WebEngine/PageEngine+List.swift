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

  /// All zones by `group`: `active` (`on`, `asleep`, `off`; the default), `category` (by name) or `priority`
  /// (`critical`, `high`, `normal`, `low`); in each by `order`: `distance` (the default; as by priority where there is no
  /// position), `name`, `priority`, or `category` and then priority. A `search` keeps the zones that have all its words
  /// somewhere in name, category, notice or messages. Zones without an area come last, as `refused`.
  ///
  /// Each of `groups` has its `name` and its `ids`; `found` counts them, `total` all zones.
  func list(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let order = try Self.choice(fields, "order", .distance, Order.allCases) { $0.word }
    let grouping = try Self.choice(fields, "group", .active, Grouping.allCases) { $0.word }
    let search = SearchWords(try fields.asked(text: "search") ?? .empty)
    let timeline = try opened()
    let surroundings = timeline.surroundings(at: now)
    let zones = timeline.zones
    var quiet: Set<ZoneID> = []
    for (zone, state) in timeline.states {
      switch state {
      case .asleep, .acknowledged: quiet.insert(zone)
      case .ringing, .dwelling, .confirming, .present, .idle: break
      }
    }
    let found = surroundings.indices.filter { search.isIn(zones[$0]) }
    var groups: [(name: Text, rank: Int, zones: [Int])] = []
    var places: [Text: Int] = [:]
    for position in Self.sorted(found, by: order, timeline, surroundings) {
      let zone = zones[position]
      let (name, rank) = Self.group(of: zone, by: grouping, isQuiet: quiet.contains(zone.id))
      if let place = places[name] {
        groups[place].zones.append(position)
      } else {
        places[name] = groups.count
        groups.append((name, rank, [position]))
      }
    }
    groups.sort { ($0.rank, $0.name) < ($1.rank, $1.name) }
    var forms = groups.map { Self.form($0.name, $0.zones.map { zones[$0].id }) }
    if search.isEmpty, !timeline.refusedZones.isEmpty {
      forms.append(Self.form("refused", timeline.refusedZones.map { $0.zone }))
    }
    return .map([
      .init("groups", .list(forms)), .init("found", .integer(Int64(found.count))),
      .init("total", .integer(Int64(zones.count + timeline.refusedZones.count))),
    ])
  }

  private static func choice<Choice>(
    _ fields: Fields, _ key: Text, _ otherwise: Choice, _ all: [Choice], _ word: (Choice) -> Text
  ) throws(Refusal) -> Choice {
    guard let asked = try fields.asked(text: key) else { return otherwise }
    for choice in all where word(choice) == asked { return choice }
    throw .field(.init(key, .unknownWord))
  }

  private static func form(_ name: Text, _ zones: [ZoneID]) -> PageValue {
    .map([.init("name", .text(name)), .init("ids", .list(zones.map { .text(Text($0.description)) }))])
  }

  private static func group(
    of zone: Zone, by grouping: Grouping, isQuiet: Bool
  ) -> (name: Text, rank: Int) {
    switch grouping {
    case .active: !zone.active ? ("off", 2) : isQuiet ? ("asleep", 1) : ("on", 0)
    // Zones without a category come after the others.
    case .category: (zone.category, zone.category.isEmpty ? 1 : 0)
    case .priority: (urgency(zone), Int(3 - max(0, min(3, zone.priority))))
    }
  }

  /// A priority in a word: 3 and more are critical, 0 and less low.
  static func urgency(_ zone: Zone) -> Text {
    switch zone.priority {
    case ...0: "low"
    case 1: "normal"
    case 2: "high"
    default: "critical"
    }
  }

  /// The order of urgency is the timeline's own, and breaks all ties.
  private static func sorted(
    _ positions: [Int], by order: Order, _ timeline: Timeline, _ surroundings: Surroundings
  ) -> [Int] {
    let zones = timeline.zones
    switch order {
    case .priority: return positions
    case .name: return positions.sorted { (zones[$0].name, $0) < (zones[$1].name, $1) }
    case .category: return positions.sorted { (zones[$0].category, $0) < (zones[$1].category, $1) }
    case .distance:
      guard let place = timeline.position?.position else { return positions }
      let measured = positions.map { (distance: surroundings.nearby($0, from: place).toEdge, position: $0) }
      return measured.sorted { ($0.distance, $0.position) < ($1.distance, $1.position) }.map { $0.position }
    }
  }

  /// The rows of the zones named, in the order named; ids that are no zone's are left out.
  func rows(_ fields: Fields) throws(Refusal) -> PageValue {
    let now = try fields.now()
    let timeline = try opened()
    let surroundings = timeline.surroundings(at: now)
    let place = timeline.position?.position
    var positions: [ZoneID: Int] = [:]
    for (position, zone) in timeline.zones.enumerated() { positions[zone.id] = position }
    var rows: [PageValue] = []
    for value in try fields.asked(list: "ids") {
      guard let text = value.text, let id = ZoneID(hexadecimal: text) else {
        throw .field(.init("ids", .wrongKind))
      }
      if let position = positions[id] {
        rows.append(row(of: position, from: place, surroundings))
      } else if let error = timeline.refusedZones.first(where: { $0.zone == id })?.error {
        rows.append(
          .map([.init("id", .text(text)), .init("state", .text("refused")), .init("why", .text(error.word))]))
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
    let near = surroundings.indices.map { surroundings.nearby($0, from: place) }
      .sorted { ($0.toAlert, $0.zone) < ($1.toAlert, $1.zone) }
    return .map([
      .init("rows", .list(near.prefix(count).map { row(of: $0.zone, from: place, surroundings) }))
    ])
  }
}

/// The words of a search, compared byte by byte but for the size of Latin letters.
struct SearchWords {
  private let words: [[UInt8]]

  init(_ text: Text) {
    words = Self.small(text).split(separator: UInt8(ascii: " ")).map { Array($0) }
  }

  var isEmpty: Bool { words.isEmpty }

  func isIn(_ zone: Zone) -> Bool {
    guard !words.isEmpty else { return true }
    var texts = [zone.name, zone.category]
    if let notice = zone.notice { texts += [notice.title, notice.text] }
    for message in zone.messages { texts += [message.toMoniker, message.supplement] }
    let small = texts.map { Self.small($0) }
    return words.allSatisfy { word in small.contains { Self.isIn($0, word) } }
  }

  private static func isIn(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard text.count >= word.count else { return false }
    return (0...(text.count - word.count)).contains { start in
      word.indices.allSatisfy { text[start + $0] == word[$0] }
    }
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
