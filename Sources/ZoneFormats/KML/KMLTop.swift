import AlarmEngine
import Geometry

/// The height up to which the polygons of a placemark reach, if KML states it.
struct KMLTop {
  private struct Part {
    var mode = ""
    var isExtruded = false
    var highest: Double?
  }
  private var parts: [Part] = []

  /// Begins the next polygon.
  mutating func begin() { parts.append(Part()) }

  mutating func take(_ element: String, _ text: String) {
    guard !parts.isEmpty else { return }
    let word = text.trimmed
    if element == "extrude" {
      parts[parts.count - 1].isExtruded = word == "1" || word.lowercased() == "true"
    } else {
      parts[parts.count - 1].mode = word
    }
  }

  /// - Parameter highest: the highest altitude of a polygon's outer ring; nil if a place has none.
  mutating func take(_ highest: Double?) {
    if !parts.isEmpty { parts[parts.count - 1].highest = highest }
  }

  /// The ceiling over sea level; nil unless every polygon stands on the ground and states its height over the
  /// sea.
  var ceiling: Distance? {
    var ceiling: Double?
    for part in parts {
      guard part.isExtruded, part.mode == "absolute", let highest = part.highest, highest != 0 else {
        return nil
      }
      ceiling = max(ceiling ?? highest, highest)
    }
    guard let ceiling, RangedField.ceiling.allowed.contains(ceiling) else { return nil }
    return .metres(ceiling)
  }

  /// True if one of them reaches up to a height above ground.
  var isAboveGround: Bool { parts.contains { $0.isExtruded && $0.mode == "relativeToGround" } }
}
