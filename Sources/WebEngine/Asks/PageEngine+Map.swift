import AlarmEngine
import Geometry

/// All zones on a map, some at a time: features of GeoJSON, so many as were asked for, and `next`, where the following
/// ones begin; absent when these were the last. Every feature has the zone's `id`, its `category` and its `state`:
/// `on`, `off`, `asleep` (quiet for a while) or `ringing`.
extension PageEngine {
  /// A point in the middle of each zone.
  func mapPins(_ fields: Fields) throws(Refusal) -> PageValue {
    let timeline = try opened()
    let surroundings = timeline.surroundings(at: try fields.now())
    return try batch(fields, timeline) { text, slot, properties in
      text.point(Self.middle(of: surroundings.outline(of: slot)), properties)
      return true
    }
  }

  /// The lines of the zones in a view (`[south, west, north, east]`, across the antimeridian with an east beyond 180°),
  /// to `tolerance_m`; zones less than `least_m` across are left out, since nothing would be seen of them.
  func mapLines(_ fields: Fields) throws(Refusal) -> PageValue {
    let timeline = try opened()
    let surroundings = timeline.surroundings(at: try fields.now())
    let view = try fields.view("view")
    let tolerance = Distance.metres(try fields.asked(number: "tolerance_m", 0.01...1e6) ?? 1)
    let least = try fields.asked(number: "least_m", 0...1e7) ?? 0
    return try batch(fields, timeline) { text, slot, properties in
      let circle = surroundings.enclosingCircle(of: slot)
      guard 2 * circle.radius.metres >= least, view.meets(circle) else { return false }
      ZoneDrawing(timeline.zones[slot.index], surroundings.outline(of: slot), tolerance: tolerance)
        .write(to: &text, properties)
      return true
    }
  }

  /// - Parameter draw: one zone; false when there was nothing to draw.
  private func batch(
    _ fields: Fields, _ timeline: Timeline,
    _ draw: (inout FeatureText, ZoneSlot, [FeatureText.Property]) -> Bool
  ) throws(Refusal) -> PageValue {
    let from = Int(try fields.asked(number: "from", 0...1e9) ?? 0)
    let most = Int(try fields.asked(number: "count", 1...1e6) ?? 200)
    let zones = timeline.zones
    let states = Self.states(timeline)
    var text = FeatureText()
    var drawn = 0
    var index = from
    while index < zones.count, drawn < most {
      let zone = zones[index]
      let properties: [FeatureText.Property] = [
        .init("id", Text(zone.id.description)), .init("category", zone.category),
        .init("state", Self.look(zone, states[zone.id])),
      ]
      if draw(&text, ZoneSlot(index), properties) { drawn += 1 }
      index += 1
    }
    var entries: [PageValue.Entry] = [.init("features", .bytes(text.bytes))]
    if index < zones.count { entries.add("next", .integer(Int64(index))) }
    return .map(entries)
  }

  private static func look(_ zone: Zone, _ state: AlarmState?) -> Text {
    guard zone.active else { return "off" }
    if case .ringing? = state { return "ringing" }
    return isQuiet(state) ? "asleep" : "on"
  }

  /// Returns the place for a zone's pin: a point inside, found with little effort because there may be
  /// thousands of zones. It may be less deep than ``Outline/deepest``.
  static func middle(of outline: Outline) -> Coordinate { outline.deepestPoint(effort: quickEffort).point }
  static var quickEffort: Int { 200 }
}

/// A part of the map.
struct MapView {
  let south: Double
  let west: Double
  let north: Double
  /// More than `west`.
  let east: Double

  /// True if any part of a circle may be visible.
  func meets(_ circle: (center: Coordinate, radius: Distance)) -> Bool {
    let latitude = circle.center.latitude.degrees
    let margin = circle.radius.metres / Earth.leastMetresPerDegree
    guard latitude + margin >= south, latitude - margin <= north else { return false }
    let farthest = min(89.9, abs(latitude) + margin)
    let sideways = margin * 1.02 / Trigonometry.cosine(farthest * (Double.pi / 180))
    let middle = (west + east) / 2
    let off = abs(FlatRing.turn(from: middle, to: circle.center.longitude.degrees))
    return off <= (east - west) / 2 + sideways
  }
}

extension Fields {
  func view(_ key: Text) throws(Refusal) -> MapView {
    guard let value = present(key) else { throw .field(.init(key, .missing)) }
    let numbers = (value.list ?? []).compactMap { $0.number }
    guard numbers.count == 4 else { throw .field(.init(key, .wrongKind)) }
    guard (-90.0...90).contains(numbers[0]), (numbers[0]...90).contains(numbers[2]),
      (-1080.0...1080).contains(numbers[1]), numbers[3] > numbers[1], numbers[3] <= 1440
    else { throw .field(.init(key, .outOfRange)) }
    return MapView(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3])
  }
}
