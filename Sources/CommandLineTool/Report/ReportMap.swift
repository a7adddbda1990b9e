import AlarmEngine
import Geometry

/// Track, zones and alarms, drawn to scale.
struct ReportMap {
  /// Units of the drawing for one metre: the middle of the map is about 1,000 wide.
  private let unitsPerMetre: Double
  private let projection: MapProjection
  private let view: DrawnBox
  private let zones: [(placed: PlacedZone, lines: ZoneLines)]
  /// Drawn zones left out because there were too many.
  let zonesLeftOut: Int
  private let names: [ZoneID: Text]
  private let ringing: Set<ZoneID>
  /// For each device, the fixes that are drawn: positions in its measured track.
  let kept: [[Int]]
  private let places: [[DrawnPoint]]
  private let run: ReplayRun

  private static let mostZones = 150
  private static let mostPoints = 5000
  private static let mostMarks = 300

  init(_ run: ReplayRun, tracks: [MeasuredTrack], ringing: Set<ZoneID>, closest: [ZoneID]) {
    self.run = run
    self.ringing = ringing
    names = run.zoneNames
    let fixes = tracks.flatMap(\.fixes)
    let projection = MapProjection(center: Self.middle(of: fixes))
    self.projection = projection
    let points = tracks.map { $0.fixes.map { projection.point($0.position) } }
    var view = Self.usualBox(points.joined()) ?? DrawnBox([DrawnPoint(x: 0, y: 0)])!

    let wanted = ringing.union(closest)
    let track = view.grown(by: max(view.width, view.height, 200))
    var drawnZones: [(placed: PlacedZone, lines: ZoneLines)] = []
    var leftOut = 0
    for placed in run.zones.sorted(by: { wanted.contains($0.zone.id) && !wanted.contains($1.zone.id) }) {
      guard let deepest = DrawnBox(Self.corners(of: placed.outline.shape).map(projection.point)),
        wanted.contains(placed.zone.id) || deepest.touches(track)
      else { continue }
      guard drawnZones.count < Self.mostZones else {
        leftOut += 1
        continue
      }
      if let lines = ZoneLines(placed, on: projection) { drawnZones.append((placed, lines)) }
    }
    zones = drawnZones
    zonesLeftOut = leftOut
    // A small zone is shown whole; a country one is in must not shrink the track to a dot.
    let widest = max(view.width, view.height, 100) * 1.5
    for (placed, lines) in drawnZones where wanted.contains(placed.zone.id) {
      if max(lines.box.width, lines.box.height) < widest { view.include(lines.box) }
    }
    view = view.grown(by: max(view.width, view.height, 40) * 0.07)
    self.view = view
    unitsPerMetre = 1000 / max(view.width, view.height)
    let tolerance = 0.4 / unitsPerMetre
    let share = Self.mostPoints / max(1, tracks.count)
    kept = zip(points, tracks).map { line, track in
      simplified(
        line, times: track.fixes.map { ($0.measuredAt - track.fixes[0].measuredAt).seconds },
        tolerance: tolerance, limit: max(50, share))
    }
    places = points
  }

  /// The middle of the boxes of all fixes, longitudes counted from the first.
  private static func middle(of fixes: [Fix]) -> Coordinate {
    let first = fixes.first?.position ?? Coordinate(latitude: .degrees(0), longitude: .degrees(0))
    var box = DrawnBox([DrawnPoint(x: 0, y: first.latitude.degrees)])!
    for fix in fixes {
      var east = fix.position.longitude.degrees - first.longitude.degrees
      if east > 180 { east -= 360 }
      if east < -180 { east += 360 }
      box.include(DrawnPoint(x: east, y: fix.position.latitude.degrees))
    }
    return Coordinate(
      latitude: .degrees(box.middle.y), longitude: .degrees(first.longitude.degrees + box.middle.x))
  }

  /// Around the fixes, save the outermost 1 % on every side when those alone would more than double it: one wild fix
  /// must not shrink the rest to a dot.
  private static func usualBox(_ points: some Sequence<DrawnPoint>) -> DrawnBox? {
    let points = Array(points)
    guard let whole = DrawnBox(points), points.count >= 50 else { return DrawnBox(points) }
    let cut = points.count / 100
    let xs = points.map(\.x).sorted()[cut..<points.count - cut]
    let ys = points.map(\.y).sorted()[cut..<points.count - cut]
    let usual = DrawnBox([DrawnPoint(x: xs.first!, y: ys.first!), DrawnPoint(x: xs.last!, y: ys.last!)])!
    let isMuchSmaller = max(usual.width, usual.height, 100) * 3 < max(whole.width, whole.height)
    return isMuchSmaller ? usual : whole
  }

  private static func corners(of shape: Shape) -> [Coordinate] {
    switch shape {
    case .circle(let center, _): [center]
    case .corridor(let path, _, _): path
    case .polygon(let polygon): polygon.parts.flatMap(\.outer.vertices)
    }
  }

  /// In units of the drawing.
  private func unit(_ point: DrawnPoint) -> DrawnPoint {
    DrawnPoint(
      x: (point.x - view.middle.x) * unitsPerMetre, y: (point.y - view.middle.y) * unitsPerMetre)
  }
  private func unit(_ place: Coordinate) -> DrawnPoint { unit(projection.point(place)) }
  private func path(_ lines: [[DrawnPoint]]) -> String { pathData(lines.map { $0.map(unit) }, closed: true) }

  /// Where a fix of a device is drawn.
  func place(device: Int, fix: Int) -> DrawnPoint { unit(places[device][fix]) }

  func html(alarms: [ReportedAlarm]) -> String {
    let width = view.width * unitsPerMetre
    let height = view.height * unitsPerMetre
    let box = [-width / 2, -height / 2, width, height].map(drawn).joined(separator: " ")
    let middle = projection.middleHeight - view.middle.y / projection.metresPerRadian
    return """
      <svg id="map" viewBox="\(box)" tabindex="0" role="group" aria-label="Map of the track and the zones, north up. \
      Arrow keys move it, plus and minus zoom." data-metre="\(unitsPerMetre)" data-middle="\(middle)" \
      data-truth="\(projection.middleHeight)" data-radian="\(projection.metresPerRadian * unitsPerMetre)">
      <g id="zones">\(zones.reversed().map(zoneMarkup).joined())</g>
      <g id="track">\(trackMarkup)</g>
      <g id="labels">\(labels)</g>
      <g id="marks">\(endMarks)\(lossMarks)\(alarmMarks(alarms))</g>
      <g id="dots"></g>
      </svg>
      """
  }

  private func zoneMarkup(_ placed: PlacedZone, _ lines: ZoneLines) -> String {
    let zone = placed.zone
    let state = ringing.contains(zone.id) ? "rang" : zone.active ? "silent" : "off"
    var svg = "<g class=\"zone \(state)\"><title>\(escaped(displayName(zone.name)))</title>"
    if let alert = lines.alert, !alert.isEmpty {
      svg += "<path class=\"ring\" d=\"\(path(alert))\"/>"
    }
    svg += "<path class=\"area\" d=\"\(path(lines.effective))\"/>"
    if zone.inset != .zero { svg += "<path class=\"asdrawn\" d=\"\(path(lines.outline))\"/>" }
    return svg + "</g>"
  }

  private var trackMarkup: String {
    var svg = ""
    for (device, kept) in kept.enumerated() {
      let data = pathData([kept.map { unit(places[device][$0]) }], closed: false)
      guard !data.isEmpty else { continue }
      svg += "<path class=\"casing\" d=\"\(data)\"/><path class=\"way\" d=\"\(data)\"/>"
    }
    return svg
  }

  /// Ringing zones first: where labels collide, the page hides the later one.
  private var labels: String {
    var svg = ""
    let ordered =
      zones.filter { ringing.contains($0.placed.zone.id) }
      + zones.filter { !ringing.contains($0.placed.zone.id) }
    for (placed, lines) in ordered {
      let at = unit(
        lines.effective.isEmpty ? lines.box.middle : projection.point(placed.outline.deepest.point))
      let name = displayName(placed.zone.name)
      let state = ringing.contains(placed.zone.id) ? "rang" : placed.zone.active ? "silent" : "off"
      svg += mark(
        at, "label \(state)", "<text>\(escaped(name.count > 28 ? name.prefix(27) + "…" : name))</text>")
    }
    return svg
  }

  private func mark(_ at: DrawnPoint, _ kind: String, _ content: String) -> String {
    "<g class=\"mark \(kind)\" data-x=\"\(drawn(at.x))\" data-y=\"\(drawn(at.y))\" "
      + "transform=\"translate(\(drawn(at.x)) \(drawn(at.y))) scale(1.6)\">\(content)</g>"
  }

  private var endMarks: String {
    var svg = ""
    for (device, places) in places.enumerated().prefix(40) {
      guard let first = places.first, let last = places.last, !kept[device].isEmpty else { continue }
      svg += mark(
        unit(last), "end",
        "<title>End of the track</title><rect x=\"-7\" y=\"-7\" width=\"14\" height=\"14\" rx=\"3\"/>")
      svg += mark(
        unit(first), "start",
        "<title>Start of the track</title><circle r=\"7.5\"/><circle class=\"core\" r=\"3\"/>")
    }
    return svg
  }

  private var lossMarks: String {
    var svg = ""
    var count = 0
    for entry in run.entries {
      guard case .missedSignal(let zone, _, let position) = entry.event.kind, count < Self.mostMarks else {
        continue
      }
      count += 1
      let words = "Signal lost near \(displayName(names[zone] ?? .empty)) at \(clockWords(entry.event.time))"
      svg += mark(
        unit(position), "loss",
        "<title>\(escaped(words))</title><circle r=\"12\"/><path d=\"\(Icon.noSignal.rawValue)\" transform=\"translate(-8 -8) scale(.667)\"/>"
      )
    }
    return svg
  }

  private func alarmMarks(_ alarms: [ReportedAlarm]) -> String {
    var svg = ""
    for (number, alarm) in alarms.enumerated().prefix(Self.mostMarks).reversed() {
      let words = "\(displayName(names[alarm.report.zone] ?? .empty)) rang at \(clockWords(alarm.event.time))"
      let content = """
        <title>\(escaped(words))</title><circle r="15"/><path d="\(Icon.bell.rawValue)" \
        transform="translate(-9.6 -10) scale(.8)"/>
        """
      svg += mark(
        unit(alarm.report.position), "alarm",
        "<a href=\"#alarm\(number + 1)\" aria-label=\"\(escaped(words))\">\(content)</a>")
    }
    return svg
  }
}
