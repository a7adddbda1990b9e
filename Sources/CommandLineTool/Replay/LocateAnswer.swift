import AlarmEngine
import CommandLineSupport
import Geometry

/// The relation of one place to one zone.
struct LocateAnswer: Equatable {
  let name: Text
  /// The name printed for people.
  let shownName: String
  let id: ZoneID
  /// The signed distance to the outline as drawn.
  let outlineDistance: Distance
  let inset: Distance
  let alertDistance: Distance

  init(_ placed: PlacedZone, from place: Coordinate) {
    self.init(
      name: placed.zone.name, shownName: ZonePlace(placed.zone).name, id: placed.zone.id,
      outlineDistance: placed.outline.signedDistance(from: place),
      inset: placed.zone.inset, alertDistance: placed.zone.alertDistance)
  }

  init(
    name: Text, shownName: String? = nil, id: ZoneID, outlineDistance: Distance, inset: Distance,
    alertDistance: Distance
  ) {
    self.name = name
    self.shownName = shownName ?? displayName(name)
    self.id = id
    self.outlineDistance = outlineDistance
    self.inset = inset
    self.alertDistance = alertDistance
  }

  /// The signed distance to the effective edge.
  var distance: Distance { outlineDistance + inset }
  var isInside: Bool { distance <= .zero }

  /// Every zone, nearest first; equal distances by name, then id.
  static func all(_ zones: [PlacedZone], from place: Coordinate) -> [LocateAnswer] {
    zones.map { LocateAnswer($0, from: place) }
      .sorted { ($0.distance, $0.name, $0.id) < ($1.distance, $1.name, $1.id) }
  }

  /// "outside by 1064.32 m (1094.32 m from the outline, outset by 30 m)"
  var words: String {
    var text = "\(isInside ? "inside" : "outside") by \(Self.hundredths(abs(distance.metres))) m"
    guard inset != .zero else { return text }
    let outline = Self.hundredths(abs(outlineDistance.metres))
    text +=
      outlineDistance.metres < 0 ? " (\(outline) m inside the outline" : " (\(outline) m from the outline"
    return text + ", \(inset < .zero ? "outset" : "inset") by \(Self.short(abs(inset.metres))) m)"
  }

  /// "; alert distance 10 m", with "near" if the place is outside the zone and within that distance; empty
  /// without an alert distance.
  var alertWords: String {
    guard alertDistance > .zero else { return "" }
    let level = "; alert distance \(Self.short(alertDistance.metres)) m"
    return !isInside && distance <= alertDistance ? "\(level), near" : level
  }

  var jsonLine: JSONLine {
    var line = JSONLine()
    line.add("zone", .string(name.string))
    line.add("zone_id", .string(id.description))
    line.add("inside", .bool(isInside))
    line.add("distance_m", .metres(distance.metres))
    line.add("outline_distance_m", .metres(outlineDistance.metres))
    line.add("alert_distance_m", .metres(alertDistance.metres))
    return line
  }

  private static func hundredths(_ metres: Double) -> String { fixedPoint(metres, decimals: 2) }

  /// The number with as few decimals as needed, at most two.
  private static func short(_ metres: Double) -> String {
    var text = hundredths(metres)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
