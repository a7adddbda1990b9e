import AlarmEngine
import Geometry

extension PageEngine {
  /// A zone as it begins (`zone`, without a name: those are the page's, in the reader's language; with a first `place` if one is
  /// given), what an empty field stands for (`defaults`), and what numbers are allowed (`limits`: by key the least and the most).
  func fresh(_ fields: Fields) throws(Refusal) -> PageValue {
    let id = ZoneID(rawValue: try fields.identifier("id"))
    let places = fields.present("place") == nil ? [] : [try fields.place("place")]
    var limits: [PageValue.Entry] = []
    for (key, allowed) in Self.limits {
      limits.append(.init(key, .list([.number(allowed.lowerBound), .number(allowed.upperBound)])))
    }
    return .map([
      .init("zone", ZoneForm.form(of: ZoneDraft(id: id, name: .empty, outline: .locations(places)))),
      .init(
        "defaults",
        .map([
          .init("size_m", .number(settings.defaultRadius.metres)),
          .init("sleep_s", .number(settings.defaultSleepTime.seconds)),
        ])), .init("limits", .map(limits)),
    ])
  }

  private static var limits: [(Text, ClosedRange<Double>)] {
    let size = Zone.allowedSize.lowerBound.metres...Zone.allowedSize.upperBound.metres
    return (RangedField.ofZone + [.dwell, .noticeCap]).map {
      ($0.name, $0 == .size ? size : $0.allowed)
    }
  }

  /// A `place` moved so many metres to the north and to the east.
  func shift(_ fields: Fields) throws(Refusal) -> PageValue {
    let from = try fields.place("place")
    let north = try fields.asked(number: "north_m", RangedField.inset.allowed) ?? 0
    let east = try fields.asked(number: "east_m", RangedField.inset.allowed) ?? 0
    let there = Geodesic.destination(
      from: from, azimuth: .degrees(north < 0 ? 180 : 0), distance: .metres(abs(north)))
    let place = Geodesic.destination(
      from: there, azimuth: .degrees(east < 0 ? -90 : 90), distance: .metres(abs(east)))
    return .map([.init("place", EventForm.place(place))])
  }

  /// The `zone` with another kind of outline (`to`: `circle`, `area` or `path`) about where it was.
  ///
  /// A circle is as wide as what it replaces; an area gets six corners on the circle, or the places there were, and
  /// one that has parts stays as it is; a path goes through the places there were, or across the circle.
  func reshape(_ fields: Fields) throws(Refusal) -> PageValue {
    var zone = try fields.draft("zone")
    guard let kind = try fields.asked(text: "to") else { throw .field(.init("to", .missing)) }
    guard kind == "circle" || kind == "area" || kind == "path" else {
      throw .field(.init("to", .unknownWord))
    }
    guard let shape = try? zone.shape(defaultRadius: settings.defaultRadius) else {
      throw .field(.init("zone", .outOfRange))
    }
    let outline = Outline(shape)
    let circle = outline.boundingCircle
    switch kind {
    case let word where word == "circle":
      if case .circle = shape { break }
      zone.outline = .locations([circle.center])
      zone.size = .metres(max(1, circle.radius.metres.rounded(.down)))
    case let word where word == "area":
      if case .area = zone.outline { break }
      zone.outline = .locations(Self.corners(of: zone, shape, circle))
    default:
      switch zone.outline {
      case .path: break
      case .locations(let places) where places.count > 1: zone.outline = .path(places)
      case .locations, .area:
        zone.outline = .path(Self.around(circle, corners: 2, from: -90))
        // The size was a radius and would be a width now.
        zone.size = nil
      }
    }
    return .map([.init("zone", ZoneForm.form(of: zone))])
  }

  private static func corners(
    of zone: ZoneDraft, _ shape: Shape, _ circle: (center: Coordinate, radius: Distance)
  ) -> [Coordinate] {
    switch (zone.outline, shape) {
    case (.locations(let places), .polygon),
      (.path(let places), _) where places.count > 2:
      return places
    case (.locations, _), (.path, _), (.area, _): return around(circle, corners: 6, from: 0)
    }
  }

  private static func around(
    _ circle: (center: Coordinate, radius: Distance), corners: Int, from start: Double
  ) -> [Coordinate] {
    (0..<corners).map {
      Geodesic.destination(
        from: circle.center, azimuth: .degrees(start + 360 * Double($0) / Double(corners)),
        distance: circle.radius)
    }
  }
}
