/// A format of files of zones.
public enum ZoneFormat: String, CaseIterable, Sendable {
  case pad, geojson, kml, kmz, owntracks, openair
  /// Formats that are only read, as `openair` is.
  case gpx, csv, traccar, homeassistant

  /// The name in help texts.
  public var title: String {
    switch self {
    case .pad: "PAD"
    case .geojson: "GeoJSON"
    case .kml: "KML"
    case .kmz: "KMZ"
    case .owntracks: "OwnTracks waypoints"
    case .openair: "OpenAir"
    case .gpx: "GPX"
    case .csv: "CSV"
    case .traccar: "Traccar's geofences"
    case .homeassistant: "Home Assistant's zones"
    }
  }

  /// Detects the format by the first bytes; nil if they fit none.
  package init?(start: [UInt8]) {
    if start.starts(with: [0x50, 0x4b, 3, 4]) {
      self = .kmz
      return
    }
    // Without its zero bytes UTF-16 reads like ASCII.
    let text = start.filter { $0 != 0 && $0 < 0x80 }
    let lower = text.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    let first = text.first { $0 > 32 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      let isOwnTracks = lower.holds("\"_type\"") && lower.holds("waypoint")
      self = isOwnTracks ? .owntracks : Self.isTraccar(lower) ? .traccar : .geojson
    } else if lower.holds("<kml") || lower.holds("opengis.net/kml") {
      self = .kml
    } else if lower.holds("<gpx"), lower.holds("<wpt") || lower.holds("<rte") {
      self = .gpx
    } else if lower.holds("alertzonestart") {
      self = .pad
    } else if lower.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).contains(where: {
      $0.starts(with: "ac ".utf8) || $0.starts(with: "an ".utf8)
    }) {
      self = .openair
    } else if CSVZoneReader.isTable(start) {
      self = .csv
    } else if HomeAssistantZones.isList(text.split { $0 == 0x0a || $0 == 0x0d }) {
      self = .homeassistant
    } else {
      return nil
    }
  }

  /// True if the text has a Traccar geofence, whose area is a string.
  private static func isTraccar(_ lower: [UInt8]) -> Bool {
    let text = lower.filter { $0 > 32 }
    return ["circle(", "polygon((", "linestring("].contains { text.holds("\"area\":\"" + $0) }
  }
}

extension [UInt8] {
  /// True if the word stands anywhere in the bytes.
  fileprivate func holds(_ word: String) -> Bool {
    let word = Array(word.utf8)
    var rest = self[...]
    while let place = rest.firstIndex(of: word[0]) {
      if rest[place...].starts(with: word) { return true }
      rest = rest[(place + 1)...]
    }
    return false
  }
}
