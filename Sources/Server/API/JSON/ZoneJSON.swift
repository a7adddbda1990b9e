import AlarmEngine
import AlarmService
import Formats
import Geometry

/// Zones in the API's format. A value that the schema has accepted becomes a zone, or a finding explains why
/// it has no area.
enum ZoneJSON {
  static let place = Schema.object([
    .needed("latitude", .number(-90...90), "Degrees north."),
    .needed("longitude", .number(-180...180), "Degrees east."),
  ])
  /// The most places of one line or ring.
  static let maximumPlaces = 10_000
  private static let ring = Schema.list(place, count: 3...maximumPlaces)

  /// - Parameter isStored: whether it is for a stored zone, which may have lost its places; the zone then
  ///   states that it is not watched.
  private static func outline(isStored: Bool) -> Schema {
    .variants(
      tag: "kind",
      [
        .init(
          word: "locations",
          members: [
            .needed(
              "places", .list(place, count: (isStored ? 0 : 1)...maximumPlaces),
              "One is a circle of radius size_m, two a capsule, three and more a polygon that closes itself.")
          ]),
        .init(
          word: "path",
          members: [
            .needed(
              "places", .list(place, count: (isStored ? 0 : 2)...maximumPlaces),
              "A corridor of half-width size_m.")
          ]),
        .init(
          word: "area",
          members: [
            .needed(
              "parts",
              .list(
                .object([
                  .needed("outer", ring, "Closes itself."),
                  .allowed("holes", .list(ring, upTo: 1000), "Not part of the area."),
                ]), count: 1...1000), "Together they are the area.")
          ]),
      ])
  }

  private static let trigger = Schema.variants(
    tag: "kind",
    [
      .init(
        word: "enter",
        members: [
          .allowed(
            "passing_counts", .boolean, "Rings also when driven through between two fixes; true if left out.")
        ]), .init(word: "leave", members: []),
      .init(word: "dwell", members: [.needed("dwell_s", .number(.dwell), "Stays inside for so long.")]),
    ])

  private static let schedule = Schema.object([
    .needed(
      "time_zone", .text(0...100),
      "As the IANA database spells it; another name is refused. Empty: by the offsets."),
    .needed(
      "windows",
      .list(
        .object([
          .needed("weekdays", .list(.integer(1...7), upTo: 7), "1 is Monday."),
          .needed("opens_min", .integer(0...1439), "Minute of the local day."),
          .needed("closes_min", .integer(0...1440), "At or before opens_min: on the next day."),
        ]), upTo: 100), "On duty in any of them."),
    .allowed(
      "offsets",
      .list(
        .object([
          .needed("from", .time, "From here on"),
          .needed("utc_offset_s", .integer(offsetSeconds), "local time is UTC plus this."),
        ]), upTo: 1000),
      "Computed from time_zone, from 2000 to 20 years ahead, in place of those that are sent; without a name, none at all is UTC."
    ),
  ])

  private static let offsetSeconds =
    Int64(
      Schedule.Offset.allowedSeconds.lowerBound)...Int64(Schedule.Offset.allowedSeconds.upperBound)

  /// The members of a zone in a request.
  static let members = members(isStored: false)
  /// The members of a stored zone.
  static let storedMembers = members(isStored: true)

  private static func members(isStored: Bool) -> [Schema.Member] {
    [
      .needed(.name, .text(0...200), "For people; need not be unique."),
      .allowed(.category, .text(0...200), ""),
      .allowed(.active, .boolean, "The zone's own switch; true if left out."),
      .allowed(.vibrate, .boolean, "True if left out."),
      .allowed(.priority, .number(.priority), "Higher is more urgent; 0 if left out."),
      .allowed(.sleepTime, .optional(.number(.sleepTime)), "Quiet after Sleep; null takes the default."),
      .allowed(
        .size, .optional(.number(.size)),
        "Radius or half-width, 0.01 or more where there is one; null takes the default."),
      .allowed(.inset, .number(.inset), "Positive shrinks, negative grows."),
      .allowed(.alertDistance, .number(.alertDistance), "Rings already so far outside."),
      .allowed(.leadTime, .optional(.number(.leadTime)), "Rings so long before the predicted entry."),
      .allowed(
        .floor, .optional(.number(.floor)),
        "Metres over sea level: a phone that is surely lower is outside. Null: no floor."),
      .allowed(
        .ceiling, .optional(.number(.ceiling)),
        "More than the floor: a phone that is surely higher is outside. Null: no ceiling."),
      .allowed(.soundName, .text(0...100), "Exact name; empty is the default sound."),
      .needed(.outline, outline(isStored: isStored), ""),
      .allowed(.edges, .words(EdgeKind.allCases.map(\.word.string)), "What a line between two places is."),
      .allowed(.trigger, trigger, "Entering, if left out."),
      .allowed(.schedule, .optional(schedule), "Always on duty, if null."),
      .allowed(.assurance, .words(Assurance.allCases.map(\.word.string)), "How sure the alarm has to be."),
      .allowed(
        .messages,
        .list(
          .object([
            .needed("your_moniker", .text(0...100), "How the sender wants to be named."),
            .needed("to_moniker", .text(0...100), "How the addressee is named."),
            .needed("contact_number", .text(0...100), ""), .needed("supplement", .text(0...1000), ""),
          ]), upTo: 100), "Proposed when the zone rings; a person presses send."),
      .allowed(
        .notice,
        .optional(
          .object([
            .needed("title", .text(0...200), ""), .needed("text", .text(0...4000), ""),
            .allowed("link", .text(0...2000), ""), .allowed("image", .text(0...2000), ""),
            .allowed("cap_s", .number(.noticeCap), "At most once in this time."),
          ])), "Shown on entry."),
      .allowed(
        .unknownRows, .list(.list(.text(0...10_000), upTo: 1000), upTo: 10_000),
        "Rows of a PAD file that we do not know, kept."),
    ]
  }

  static let schema = Schema.object(members)

  static let example: JSONValue = json(
    ZoneDraft(
      id: ZoneID(rawValue: 0x1f2e_3d4c_5b6a_7988), name: "Cliff edge", category: "Hazard", priority: 10,
      size: .metres(120), alertDistance: .metres(50),
      outline: .locations([
        // Beachy Head.
        Coordinate(latitude: .degrees(50.7374), longitude: .degrees(0.2476))
      ]), assurance: .safety))

  // MARK: Reading

  /// - Parameters:
  ///   - value: validated against `schema`, perhaps with further members.
  ///   - defaultRadius: replaces a missing size in the check that there is an area.
  static func zone(_ value: JSONValue, id: ZoneID, defaultRadius: Distance) throws(Problem) -> Zone {
    var draft = ZoneDraft(
      id: id, name: text(value, .name), outline: try outline(value[.outline]!, edges(value)))
    draft.edges = edges(value)
    draft.category = text(value, .category)
    draft.active = value[.active]?.flag ?? true
    draft.vibrate = value[.vibrate]?.flag ?? true
    draft.priority = Int32(value[.priority]?.whole ?? 0)
    draft.sleepTime = time(value, .sleepTime)
    draft.size = value[.size]?.double.map { .metres($0) }
    draft.inset = .metres(value[.inset]?.double ?? 0)
    draft.alertDistance = .metres(value[.alertDistance]?.double ?? 0)
    draft.leadTime = time(value, .leadTime)
    draft.floor = value[.floor]?.double.map { .metres($0) }
    draft.ceiling = value[.ceiling]?.double.map { .metres($0) }
    draft.soundName = text(value, .soundName)
    draft.trigger = trigger(value[.trigger])
    draft.schedule = value.given(ZoneMember.schedule.word.string).map(schedule)
    draft.assurance = value[.assurance]?.string.flatMap { Assurance(word: Text($0)) } ?? .normal
    draft.messages = (value[.messages]?.list ?? []).map { entry in
      Message(
        yourMoniker: text(entry, "your_moniker"), toMoniker: text(entry, "to_moniker"),
        contactNumber: text(entry, "contact_number"), supplement: text(entry, "supplement"))
    }
    draft.notice = value.given(ZoneMember.notice.word.string).map { entry in
      Notice(
        title: text(entry, "title"), text: text(entry, "text"), link: text(entry, "link"),
        image: text(entry, "image"), cap: time(entry, "cap_s") ?? .zero)
    }
    draft.unknownRows = (value[.unknownRows]?.list ?? []).map { row in
      (row.list ?? []).map { Text($0.string ?? "") }
    }
    do throws(ZoneError) {
      let zone = try Zone(draft)
      _ = try zone.shape(defaultRadius: defaultRadius)
      return zone
    } catch {
      if case .sizeOutOfRange = error { throw .invalid("/size_m", error.message) }
      if case .ceilingNotAboveFloor = error { throw .invalid("/ceiling_m", error.message) }
      throw .invalid("/outline", error.message)
    }
  }

  private static func text(_ value: JSONValue, _ key: String) -> Text { Text(value[key]?.string ?? "") }
  private static func text(_ value: JSONValue, _ member: ZoneMember) -> Text {
    text(value, member.word.string)
  }
  private static func time(_ value: JSONValue, _ member: ZoneMember) -> TimeSpan? {
    time(value, member.word.string)
  }
  private static func time(_ value: JSONValue, _ key: String) -> TimeSpan? {
    value[key]?.double.map { .seconds($0) }
  }
  private static func edges(_ value: JSONValue) -> EdgeKind {
    value[.edges]?.string.flatMap { EdgeKind(word: Text($0)) } ?? .geodesic
  }

  /// - Parameter value: validated against `place`.
  static func coordinate(_ value: JSONValue) -> Coordinate {
    Coordinate(
      latitude: .degrees(value["latitude"]?.double ?? 0), longitude: .degrees(value["longitude"]?.double ?? 0)
    )
  }

  private static func places(_ value: JSONValue?) -> [Coordinate] { (value?.list ?? []).map(coordinate) }

  private static func outline(_ value: JSONValue, _ edges: EdgeKind) throws(Problem) -> ZoneOutline {
    switch value["kind"]?.string {
    case "locations": return .locations(places(value["places"]))
    case "path": return .path(places(value["places"]))
    default:
      var parts: [Polygon.Part] = []
      for (index, part) in (value["parts"]?.list ?? []).enumerated() {
        func ring(_ value: JSONValue?) throws(Problem) -> Ring {
          let vertices = places(value)
          do { return try Ring(vertices) } catch {
            throw .invalid("/outline/parts/\(index)", "a ring of fewer than three different places found")
          }
        }
        var holes: [Ring] = []
        for hole in part["holes"]?.list ?? [] { holes.append(try ring(hole)) }
        parts.append(.init(outer: try ring(part["outer"]), holes: holes))
      }
      return .area(Polygon(parts: parts, edges: edges))
    }
  }

  private static func trigger(_ value: JSONValue?) -> Trigger {
    switch value?["kind"]?.string {
    case "leave": .leave
    case "dwell": .dwell(.seconds(value?["dwell_s"]?.double ?? 0))
    default: .enter(passingCounts: value?["passing_counts"]?.flag ?? true)
    }
  }

  private static func schedule(_ value: JSONValue) -> Schedule {
    let windows = (value["windows"]?.list ?? []).map { entry -> Schedule.Window in
      var weekdays: UInt8 = 0
      for day in entry["weekdays"]?.list ?? [] { weekdays |= 1 << UInt8((day.whole ?? 1) - 1) }
      return .init(
        weekdays: .init(rawValue: weekdays), opens: Int(entry["opens_min"]?.whole ?? 0),
        closes: Int(entry["closes_min"]?.whole ?? 0))
    }
    let offsets = (value["offsets"]?.list ?? []).compactMap { entry -> Schedule.Offset? in
      guard let from = entry["from"]?.string.flatMap(RFC3339.instant(from:)) else { return nil }
      return .init(from: from, seconds: Int32(entry["utc_offset_s"]?.whole ?? 0))
    }
    return Schedule(windows: windows, timeZone: text(value, "time_zone"), offsets: offsets)
  }
}

extension JSONValue {
  fileprivate subscript(member: ZoneMember) -> JSONValue? { self[member.word.string] }
}

extension Schema.Member {
  fileprivate static func needed(_ member: ZoneMember, _ schema: Schema, _ text: String) -> Self {
    .needed(member.word.string, schema, text)
  }
  fileprivate static func allowed(_ member: ZoneMember, _ schema: Schema, _ text: String) -> Self {
    .allowed(member.word.string, schema, text)
  }
}
