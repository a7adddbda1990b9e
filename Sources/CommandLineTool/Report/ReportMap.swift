import AlarmEngine
import CommandLineSupport
import Geometry
import StreetMap

/// Track, zones and alarms, drawn to scale.
struct ReportMap {
  /// Units of the drawing per metre: the middle of the map is about 1,000 wide.
  private let unitsPerMetre: Double
  let projection: MapProjection
  private let view: DrawnBox
  let zones: [(placed: PlacedZone, lines: ZoneLines)]
  /// Drawn zones left out because there were too many.
  let zonesLeftOut: Int
  let names: [ZoneID: Text]
  let ringing: Set<ZoneID>
  /// For each device, the fixes that are drawn: positions in its measured track.
  let kept: [[Int]]
  let places: [[DrawnPoint]]
  /// For each device, the breaks in its drawn track: the kept fixes that follow an unused fix.
  private let gaps: [[Int]]
  let run: ReplayRun
  /// Nil without an archive, or if the archive has nothing here.
  private(set) var streets: ReportStreets?

  private static let mostZones = 150
  private static let mostPoints = 5000

  init(
    _ run: ReplayRun, tracks: [MeasuredTrack], ringing: Set<ZoneID>, closest: [ZoneID],
    streets: TileArchive? = nil
  ) {
    self.run = run
    self.ringing = ringing
    names = run.zoneNames
    let fixes = tracks.flatMap(\.fixes)
    let projection = MapProjection(
      center: Self.middle(of: fixes.isEmpty ? run.devices.flatMap(\.fixes) : fixes))
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
    // A small zone is shown whole; a zone as large as a country must not shrink the track to a dot.
    let widest = max(view.width, view.height, 300) * 1.5
    for (placed, lines) in drawnZones where wanted.contains(placed.zone.id) {
      if max(lines.box.width, lines.box.height) < widest { view.include(lines.box) }
    }
    view = Self.including(
      run.devices.flatMap { $0.unused.map { projection.point($0.fix.position) } }, in: view)
    view = view.grown(by: max(view.width, view.height, 40) * 0.07)
    self.view = view
    unitsPerMetre = 1000 / max(view.width, view.height)
    let tolerance = 0.4 / unitsPerMetre
    let share = Self.mostPoints / max(1, tracks.count)
    let lines = zip(points, tracks).map { Self.thinned($0, $1, tolerance: tolerance, limit: max(50, share)) }
    kept = lines.map(\.kept)
    gaps = lines.map(\.gaps)
    places = points
    self.streets = nil
    if let streets {
      // The surroundings that are visible beside the map if the window has another aspect ratio.
      let box = view.grown(by: max(view.width, view.height) * 0.6)
      self.streets = ReportStreets(streets, box: box, on: projection, unit: unit)
    }
  }

  /// The fixes that are drawn, and among them those that follow a break in the line.
  private static func thinned(
    _ line: [DrawnPoint], _ track: MeasuredTrack, tolerance: Double, limit: Int
  ) -> (kept: [Int], gaps: [Int]) {
    guard let first = track.fixes.first else { return ([], []) }
    let thin = simplified(
      line, times: track.fixes.map { ($0.measuredAt - first.measuredAt).seconds }, tolerance: tolerance,
      limit: limit)
    return (Set(thin + track.breaks.flatMap { [$0 - 1, $0] }).sorted(), track.breaks)
  }

  /// Extends the box by the points that do not make it much larger.
  private static func including(_ points: [DrawnPoint], in box: DrawnBox) -> DrawnBox {
    let near = box.grown(by: max(box.width, box.height, 200) * 0.4)
    var grown = box
    for point in points where DrawnBox([point])!.touches(near) { grown.include(point) }
    return grown
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

  /// The box of the fixes. It leaves out the outermost 1 % on every side if those alone would more than
  /// double it: one outlier must not shrink the rest to a dot.
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

  /// A point in units of the drawing.
  func unit(_ point: DrawnPoint) -> DrawnPoint {
    DrawnPoint(
      x: (point.x - view.middle.x) * unitsPerMetre, y: (point.y - view.middle.y) * unitsPerMetre)
  }
  func unit(_ place: Coordinate) -> DrawnPoint { unit(projection.point(place)) }
  private func path(_ lines: [[DrawnPoint]]) -> String { pathData(lines.map { $0.map(unit) }, closed: true) }

  /// The place of a device's fix in the drawing.
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
      \(streets?.markup ?? "")<g id="zones">\(zones.indices.reversed().map(zoneMarkup).joined())</g>
      <g id="track">\(trackMarkup)</g>
      <g id="labels">\(labels)</g>
      <g id="marks">\(unusedMarks)\(endMarks)\(lossMarks)\(alarmMarks(alarms))</g>
      <g id="dots"></g>
      </svg>
      """
  }

  /// The zone's state (rang, silent or switched off) by its name in the page's styles.
  func state(_ zone: Zone) -> String {
    ringing.contains(zone.id) ? "rang" : zone.active ? "silent" : "off"
  }

  private func zoneMarkup(_ index: Int) -> String {
    let (placed, lines) = zones[index]
    let zone = placed.zone
    let wound = lines.isWound ? " wound" : ""
    var svg =
      "<g class=\"zone \(state(zone))\(wound)\" data-zone=\"\(index)\"><title>\(escaped(displayName(zone.name)))</title>"
    if let alert = lines.alert, !alert.isEmpty {
      svg += "<path class=\"ring\" d=\"\(path(alert))\"/>"
    }
    svg += "<path class=\"area\" d=\"\(path(lines.effective))\"/>"
    if zone.inset != .zero { svg += "<path class=\"asdrawn\" d=\"\(path(lines.outline))\"/>" }
    return svg + "</g>"
  }

  /// The track's line, dashed where fixes were left out.
  private var trackMarkup: String {
    var svg = ""
    for (device, kept) in kept.enumerated() {
      var pieces: [[DrawnPoint]] = [[]]
      var bridges: [[DrawnPoint]] = []
      var gaps = gaps[device][...]
      for index in kept {
        let point = unit(places[device][index])
        if gaps.first == index {
          gaps.removeFirst()
          if let former = pieces.last?.last { bridges.append([former, point]) }
          pieces.append([])
        }
        pieces[pieces.count - 1].append(point)
      }
      let data = pathData(pieces, closed: false)
      if !bridges.isEmpty { svg += "<path class=\"bridge\" d=\"\(pathData(bridges, closed: false))\"/>" }
      if !data.isEmpty { svg += "<path class=\"casing\" d=\"\(data)\"/><path class=\"way\" d=\"\(data)\"/>" }
    }
    return svg
  }
}
