import AlarmEngine
import Geometry
import PAD

/// Zones from OpenAir airspace files.
///
/// Edges are geodesics, arcs and circles are true over the ellipsoid, arcs within half a metre. The class
/// becomes the category. Floor and ceiling become the zone's if they can be converted to heights over sea
/// level (``OpenAirLimit``). They are also kept as rows `OpenAirAL` and `OpenAirAH`, as frequencies and the
/// like are.
/// Source: J. Plutenko, "OPEN AIR (tm) TERRAIN and AIRSPACE DESCRIPTION LANGUAGE" 1.0 (1998, 1999).
package final class OpenAirReader: ZoneFormatReader {
  package var builder: ZoneFileBuilder
  private var lines = PADLines()
  private var area = OpenAirArea(line: 1)
  private var center: Coordinate?
  private var isTerrain = false
  private var points = 0

  /// The largest radius: 500 nautical miles.
  private static let maximumRadius = Distance.metres(926_000)
  /// The most points that all arcs of a file together may produce.
  static let maximumPoints = 5_000_000

  package init(_ builder: ZoneFileBuilder) { self.builder = builder }

  package func feed(_ chunk: [UInt8]) { lines.feed(chunk[...]) { take($0) } }

  package func finish() {
    lines.finish { take($0) }
    endArea()
    if builder.isEmpty { builder.report(.error, "no airspace found") }
  }

  private func take(_ line: PADLines.Line) {
    switch line {
    case .tooLong(let number, let bytes):
      builder.report(
        .error, .lineTooLong, line: number,
        "a line of \(bytes) bytes found, \(PADLines.maximumLineLength) allowed")
    case .text(let number, let utf8, _):
      let text = String(decoding: utf8, as: UTF8.self).trimmed
      guard !text.isEmpty, !text.hasPrefix("*") else { return }
      let key = text.prefix { !$0.isWhitespace }.uppercased()
      let value = text.dropFirst(key.count).trimmed
      do throws(OpenAirError) {
        try take(key, value, number)
      } catch {
        area.lostRecords += 1
        builder.report(
          .error, error.kind, line: number, zone: area.label,
          "\(key) \"\(value.prefix(60))\" found, \(error.allowed)")
      }
    }
  }

  private func take(_ key: String, _ value: String, _ line: Int) throws(OpenAirError) {
    switch key {
    case "AC":
      if area.category != nil || area.hasGeometry { startArea(line) }
      isTerrain = false
      area.category = value
    case "AN":
      if area.name != nil, area.hasGeometry { startArea(line) }
      isTerrain = false
      area.name = value
    case "TO", "TC":
      // Terrain is only drawn on maps; it makes no zone.
      startArea(line)
      isTerrain = true
    case _ where isTerrain, "SP", "SB": break
    case "V": try takeVariable(value)
    case "DP": area.points.append(try OpenAirCoordinate.parse(value))
    case "DA": try takeArc(value)
    case "DB": try takeArcBetween(value)
    case "DC": area.circles.append((try neededCenter(), try radius(OpenAirField.trimmed(value))))
    case "DY": area.airway.append(try OpenAirCoordinate.parse(value))
    case "AL", "AH":
      keep(key, value)
      takeLimit(key, value, line)
    case "AT": keep(key, value)  // Where a map writes the name.
    case "AA":
      keep(key, value)
      guard !area.toldOfTimes else { return }
      area.toldOfTimes = true
      builder.report(
        .warning, .timesIgnored, line: line, zone: area.label,
        "AA \"\(value.prefix(60))\" found; times of activation are kept but have "
          + "no effect: the zone is always on duty")
    default:
      // Other records that begin with A (AF, AG ...) are kept; anything else is no record.
      guard key.count <= 3, key.hasPrefix("A") else {
        builder.report(
          .warning, .unknownRecord, line: line, zone: area.label,
          "record \"\(key.prefix(20))\" is not known and is ignored")
        return
      }
      keep(key, value)
    }
  }

  private func keep(_ key: String, _ value: String) {
    guard area.rows.count < PADReader.maximumRows else { return }
    area.rows.append([Text("OpenAir\(key)"), Text(value)])
  }

  private func takeLimit(_ key: String, _ value: String, _ line: Int) {
    let (isFloor, limit) = (key == "AL", OpenAirLimit(value))
    if isFloor { area.floor = limit?.floor } else { area.ceiling = limit?.ceiling }
    let reason: String
    switch limit {
    case .height where area.limit(isFloor) != nil, .flightLevel where area.limit(isFloor) != nil: return
    case .height, .flightLevel:
      let allowed = RangedField.ceiling.allowed
      reason = "\(allowed.lowerBound) to \(allowed.upperBound) m allowed"
    case .ground where isFloor, .unlimited where !isFloor: return
    case .aboveGround: reason = "whose height over sea level is not known"
    case .ground, .unlimited, nil: reason = "a height or flight level allowed"
    }
    builder.report(
      .warning, limit == .aboveGround ? .heightUnknown : .badHeight, line: line, zone: area.label,
      "\(key) \"\(value.prefix(60))\" found, \(reason); the zone gets no "
        + (isFloor ? "floor" : "ceiling"))
  }

  private func startArea(_ line: Int) {
    endArea()
    area = OpenAirArea(line: line)
  }

  private func endArea() {
    let ended = area
    area = OpenAirArea(line: ended.line)
    guard !isTerrain else { return }
    let outlines = ended.outlines
    // A record with only a class sets a drawing style.
    guard ended.name != nil || ended.hasGeometry else { return }
    if outlines.isEmpty {
      builder.report(
        .error, .noGeometry, line: ended.line, zone: ended.label,
        "no area found (3 points, a circle or an airway needed); it is left out"
      )
    }
    var (floor, ceiling) = (ended.floor, ended.ceiling)
    if let least = floor, let most = ceiling, least >= most {
      builder.report(
        .warning, .ceilingBelowFloor, line: ended.line, zone: ended.label,
        "a ceiling of \(most.metres.rounded()) m found, more than the floor of "
          + "\(least.metres.rounded()) m allowed; the zone gets neither")
      (floor, ceiling) = (nil, nil)
    }
    for (index, found) in outlines.enumerated() {
      let ordinal = outlines.count > 1 ? index + 1 : nil
      let name = ordinal.map { Text("\(ended.label.string) \($0)") } ?? ended.label
      let id = builder.zoneID(stated: nil, ordinal: nil, name: name, outline: found.outline)
      builder.add(
        ZoneDraft(
          id: id, name: name, category: Text(ended.category ?? ""), size: found.size, floor: floor,
          ceiling: ceiling,
          outline: found.outline, unknownRows: ended.rows), line: ended.line)
    }
  }

  private func neededCenter() throws(OpenAirError) -> Coordinate {
    guard let center else {
      throw OpenAirError(.noCenter, allowed: "V X=coordinate needed before it; it is left out")
    }
    return center
  }

  private func radius(_ value: [UInt8]) throws(OpenAirError) -> Distance {
    guard let radius = OpenAirField.distance(value), radius > .metres(0), radius <= Self.maximumRadius else {
      throw OpenAirError(
        .badArc,
        allowed: "a radius above 0 and up to 500 nautical miles (NM) or 926 km allowed; it is left out")
    }
    return radius
  }

  private func takeVariable(_ value: String) throws(OpenAirError) {
    let parts = value.split(separator: "=", maxSplits: 1).map { $0.trimmed }
    guard parts.count == 2 else { throw OpenAirError(.badVariable, allowed: "name=value allowed") }
    switch parts[0].uppercased() {
    case "X":
      center = nil  // Rather none than the one of another arc.
      center = try OpenAirCoordinate.parse(parts[1])
    case "D":
      let sign = OpenAirField.trimmed(parts[1])
      guard sign == [UInt8(ascii: "+")] || sign == [UInt8(ascii: "-")] else {
        throw OpenAirError(.badVariable, allowed: "+ or - allowed")
      }
      area.clockwise = sign == [UInt8(ascii: "+")]
    case "W": area.width = try radius(OpenAirField.trimmed(parts[1]))
    default: break  // Z, the zoom level, and what others add.
    }
  }

  private func takeArc(_ value: String) throws(OpenAirError) {
    let parts = OpenAirField.list(value)
    guard parts.count == 3, let start = OpenAirField.number(parts[1]),
      let end = OpenAirField.number(parts[2]), abs(start) <= 720, abs(end) <= 720
    else {
      throw OpenAirError(.badArc, allowed: "radius, start and end angle in degrees allowed; it is left out")
    }
    let radius = try radius(parts[0])
    let arc = GeodesicArc(
      around: try neededCenter(), from: .degrees(start), to: .degrees(end), radius: radius,
      clockwise: area.clockwise)
    try append(arc.places)
  }

  private func takeArcBetween(_ value: String) throws(OpenAirError) {
    let parts = OpenAirField.list(value)
    guard parts.count == 2 else {
      throw OpenAirError(.badArc, allowed: "two coordinates allowed; it is left out")
    }
    let first = try OpenAirCoordinate.parse(parts[0])
    let last = try OpenAirCoordinate.parse(parts[1])
    let center = try neededCenter()
    let arc = GeodesicArc(around: center, from: first, to: last, clockwise: area.clockwise)
    guard max(arc.startRadius, arc.endRadius).metres <= Self.maximumRadius.metres else {
      throw OpenAirError(
        .badArc, allowed: "at most 500 nautical miles from the centre allowed; it is left out")
    }
    try append(arc.places)
  }

  private func append(_ places: [Coordinate]) throws(OpenAirError) {
    points += places.count
    guard points <= Self.maximumPoints else {
      throw OpenAirError(
        .badArc, allowed: "arcs of \(Self.maximumPoints) points in all allowed; it is left out")
    }
    area.points += places
  }
}

/// An unusable record, with the allowed values in words.
struct OpenAirError: Error {
  let kind: ZoneFileNote.Kind
  let allowed: String
  init(_ kind: ZoneFileNote.Kind, allowed: String) {
    self.kind = kind
    self.allowed = allowed
  }
}
