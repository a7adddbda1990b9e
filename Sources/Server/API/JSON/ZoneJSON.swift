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
              "One place is a circle of radius size_m, two are a capsule, three or more a polygon that closes itself."
            )
          ]),
        .init(
          word: "path",
          members: [
            .needed(
              "places", .list(place, count: (isStored ? 0 : 2)...maximumPlaces),
              "Line of a corridor with half-width size_m.")
          ]),
        .init(
          word: "area",
          members: [
            .needed(
              "parts",
              .list(
                .object([
                  .needed("outer", ring, "Outer ring, closed automatically."),
                  .allowed("holes", .list(ring, upTo: 1000), "Rings that are not part of the area."),
                ]), count: 1...1000), "Polygons that together form the area.")
          ]),
      ])
  }

  private static let passingCounts = Schema.Member.allowed(
    "passing_counts", .boolean,
    "True to ring also if the zone was passed through between two fixes; true if left out.")
  private static let timeOutside = Schema.Member.allowed(
    "dwell_s", .number(.dwell), "Time that the phone must stay outside before it rings; 0 if left out.")
  private static let trigger = Schema.variants(
    tag: "kind",
    [
      .init(word: "enter", members: [passingCounts]),
      .init(word: "leave", members: [timeOutside]),
      .init(word: "enter_leave", members: [passingCounts, timeOutside]),
      .init(
        word: "dwell",
        members: [
          .needed("dwell_s", .number(.dwell), "Time that the phone must stay inside before it rings.")
        ]),
    ])

  /// A window of a week's hours.
  static let window = Schema.object([
    .needed("weekdays", .list(.integer(1...7), upTo: 7), "1 is Monday."),
    .needed("opens_min", .integer(0...1439), "Minute of the local day at which it opens."),
    .needed(
      "closes_min", .integer(0...1440),
      "Minute at which it closes; on the next day if at or before opens_min."),
  ])

  private static let schedule = Schema.object([
    .needed(
      "time_zone", .text(0...100),
      "Name in the IANA database; any other name is refused. If empty, `offsets` apply."),
    .needed("windows", .list(window, upTo: 100), "The zone is on duty during any of these windows."),
    .allowed(
      "offsets",
      .list(
        .object([
          .needed("from", .time, "Time from which the offset applies."),
          .needed("utc_offset_s", .integer(offsetSeconds), "Local time minus UTC."),
        ]), upTo: 1000),
      "Computed from time_zone, from 2000 to 20 years ahead, replacing those sent. Without time_zone, an empty list is UTC."
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
      .needed(.name, .text(0...200), "Display name; need not be unique."),
      .allowed(.category, .text(0...200), ""),
      .allowed(.active, .boolean, "False if the zone is switched off; true if left out."),
      .allowed(.vibrate, .boolean, "True if the phone vibrates; true if left out."),
      .allowed(.priority, .number(.priority), "Higher is more urgent; 0 if left out."),
      .allowed(.sleepTime, .optional(.number(.sleepTime)), "Quiet time after Sleep; null for the default."),
      .allowed(
        .size, .optional(.number(.size)),
        "Radius or half-width, at least 0.01 if the outline has one; null for the default."),
      .allowed(.inset, .number(.inset), "Distance by which the outline shrinks; negative to grow it."),
      .allowed(
        .alertDistance, .number(.alertDistance), "Distance outside the zone at which it already rings."),
      .allowed(
        .leadTime, .optional(.number(.leadTime)), "Time before the predicted entry at which it rings."),
      .allowed(
        .floor, .optional(.number(.floor)),
        "Metres above sea level; a phone that is certainly lower is outside. Null for no floor."),
      .allowed(
        .ceiling, .optional(.number(.ceiling)),
        "More than the floor; a phone that is certainly higher is outside. Null for no ceiling."),
      .allowed(.soundName, .text(0...100), "Exact name of a sound; empty for the default sound."),
      .needed(.outline, outline(isStored: isStored), ""),
      .allowed(.edges, .words(EdgeKind.allCases.map(\.word.string)), "Kind of line between two places."),
      .allowed(.trigger, trigger, "Event that rings; `enter` if left out."),
      .allowed(.schedule, .optional(schedule), "Times at which the zone is on duty; null for always."),
      .allowed(
        .assurance, .words(Assurance.allCases.map(\.word.string)),
        "Certainty required before the alarm rings."),
      .allowed(
        .messages,
        .list(
          .object([
            .needed("your_moniker", .text(0...100), "Name of the sender in the message."),
            .needed("to_moniker", .text(0...100), "Name of the recipient in the message."),
            .needed("contact_number", .text(0...100), ""), .needed("supplement", .text(0...1000), ""),
          ]), upTo: 100), "Messages proposed when the zone rings; a person has to send them."),
      .allowed(
        .notice,
        .optional(
          .object([
            .needed("title", .text(0...200), ""), .needed("text", .text(0...4000), ""),
            .allowed("link", .text(0...2000), ""), .allowed("image", .text(0...2000), ""),
            .allowed("cap_s", .number(.noticeCap), "Shown at most once in this time."),
          ])), "Notice shown on entry."),
      .allowed(
        .unknownRows, .list(.list(.text(0...10_000), upTo: 1000), upTo: 10_000),
        "Unknown rows of a PAD file, kept unchanged."),
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
    for field in RangedField.ofZone { draft[field] = value[field.name.string]?.double }
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
    let time = TimeSpan.seconds(value?["dwell_s"]?.double ?? 0)
    let passingCounts = value?["passing_counts"]?.flag ?? true
    return switch value?["kind"]?.string {
    case "leave": .leave(after: time)
    case "enter_leave": .enterAndLeave(passingCounts: passingCounts, after: time)
    case "dwell": .dwell(time)
    default: .enter(passingCounts: passingCounts)
    }
  }

  /// - Parameter value: validated against `window`.
  static func window(_ value: JSONValue) -> Schedule.Window {
    var weekdays: UInt8 = 0
    for day in value["weekdays"]?.list ?? [] { weekdays |= 1 << UInt8((day.whole ?? 1) - 1) }
    return .init(
      weekdays: .init(rawValue: weekdays), opens: Int(value["opens_min"]?.whole ?? 0),
      closes: Int(value["closes_min"]?.whole ?? 0))
  }

  private static func schedule(_ value: JSONValue) -> Schedule {
    let windows = (value["windows"]?.list ?? []).map { window($0) }
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
