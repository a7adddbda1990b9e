import AlarmEngine
import CommandLineSupport
import Geometry
import StreetMap

/// A page that shows a replay: the place, time and reason of each alarm, and the nearest approach to the
/// silent zones.
///
/// Self-contained: it loads no other files.
struct Report {
  let run: ReplayRun
  let summary: ReplaySummary
  let problems: [ZoneProblem]
  private let title: String
  let tracks: [MeasuredTrack]
  let names: [ZoneID: Text]
  let alarms: [ReportedAlarm]
  let axis: TimeAxis
  let map: ReportMap
  let charts: [DistanceChart]
  /// The number of charts left out only because there are too many.
  let chartsLeftOut: Int

  private static let mostCharts = 14
  static let mostCards = 150
  static let mostRows = 1500
  static let mostTicks = 400
  static let mostWays = 60
  /// A silent zone gets a chart if the track came this near, or within four alert distances.
  private static let near = 1000.0

  /// - Precondition: there is a fix.
  init(
    _ run: ReplayRun, tracks: [MeasuredTrack], summary: ReplaySummary, problems: [ZoneProblem] = [],
    title: String, streets: TileArchive? = nil
  ) {
    self.run = run
    self.problems = problems
    self.summary = summary
    self.title = title
    self.tracks = tracks
    names = run.zoneNames
    alarms = ReportedAlarm.all(in: run)
    axis = TimeAxis(run.devices.flatMap { $0.fixes.map(\.measuredAt) }.sorted())
    let close = summary.silent.prefix { silent in
      guard let nearest = silent.nearest else { return false }
      return nearest.distance.metres <= max(Self.near, 4 * silent.zone.alertDistance.metres)
    }.map(\.zone.id)
    map = ReportMap(
      run, tracks: tracks, ringing: summary.ringing, closest: Array(close.prefix(20)), streets: streets)
    (charts, chartsLeftOut) = Self.charts(run, tracks, alarms, close, axis)
  }

  /// First the zones that rang, in that order, then those that the track came near to.
  private static func charts(
    _ run: ReplayRun, _ tracks: [MeasuredTrack], _ alarms: [ReportedAlarm], _ close: [ZoneID],
    _ axis: TimeAxis
  ) -> (charts: [DistanceChart], leftOut: Int) {
    struct Pair: Hashable {
      let device: Int
      let zone: ZoneID
    }
    var wanted: [(device: Int, zone: ZoneID)] = []
    var rang: Set<Pair> = []
    for alarm in alarms where rang.insert(Pair(device: alarm.device, zone: alarm.report.zone)).inserted {
      if wanted.count < mostCharts { wanted.append((alarm.device, alarm.report.zone)) }
    }
    let leftOut = max(0, rang.count + close.count - mostCharts)
    for zone in close where wanted.count < mostCharts {
      guard let placed = run.zones.first(where: { $0.zone.id == zone }) else { continue }
      let nearest = tracks.indices.compactMap { device in
        tracks[device].nearestApproach(to: placed).map { (device, $0.distance) }
      }.min { $0.1 < $1.1 }
      if let nearest { wanted.append((nearest.0, zone)) }
    }
    let charts = wanted.compactMap { device, zone -> DistanceChart? in
      guard let placed = run.zones.first(where: { $0.zone.id == zone }) else { return nil }
      return DistanceChart(placed, device: device, track: tracks[device], axis: axis)
    }
    return (charts, leftOut)
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline'; img-src data:">
    <title>\(escaped(title)): alarms and their reasons</title>
    <style>\(PageText.reportStyle)</style></head>
    <body>
    <section class="map" aria-label="Map">\(map.html(alarms: alarms))\(mapTools)</section>
    <main>\(header)\(problemSection)\(player)\(alarmSection)\(chartSection)\(silentSection)\(ignoredSection)\(eventSection)\(footer)</main>
    <script type="application/json" id="data">\(data)</script>
    <script>\(PageText.reportScript)</script>
    </body></html>

    """
  }

  private var isAnyPossible: Bool { alarms.contains { $0.report.cause == .possible } }

  private var mapTools: String {
    """
    <div class="tools js"><button type="button" id="zoomin" aria-label="Zoom in">\(Icon.plus.svg)</button>\
    <button type="button" id="zoomout" aria-label="Zoom out">\(Icon.minus.svg)</button>\
    <button type="button" id="whole" aria-label="Show all">\(Icon.whole.svg)</button></div>\
    <div class="scale js" aria-hidden="true"><span id="scalewords"></span><i id="scalebar"></i></div>\
    <div class="legend"><span class="k way">track</span><span class="k rang">rang</span>\
    <span class="k silent">silent</span><span class="k ring">alert distance</span>\
    \(run.devices.allSatisfy(\.unused.isEmpty) ? "" : "<span class=\"k unused\">ignored fix</span>")\
    \(isAnyPossible ? "<span class=\"k possible\">possible</span>" : "")\
    \(map.streets == nil ? "" : "<span class=\"credit\">© OpenStreetMap contributors</span>")</div>
    """
  }

  private var header: String {
    let first = axis.stretches.first!.start
    let last = run.devices.compactMap(\.fixes.last?.measuredAt).max() ?? first
    let gone = tracks.compactMap(\.gone.last).reduce(0, +)
    let headline = alarms.isEmpty ? "Nothing rang" : counted(alarms.count, "alarm", "alarms")
    let sameDay = CalendarTime(first).date == CalendarTime(last).date
    let span =
      "\(CalendarTime(first).date), \(CalendarTime(first).clock) to "
      + "\(sameDay ? "" : CalendarTime(last).date + ", ")\(CalendarTime(last).clock) \(PrintedZone.words)"
    return """
      <header><h1>\(headline)</h1><p class="sub"><b>\(escaped(title))</b> through \
      \(counted(run.zones.count, "zone", "zones"))</p><p class="sub">\(span)</p>
      <ul class="chips"><li>\(counted(summary.fixes, "fix", "fixes"))</li>\
      <li>\(lengthWords(.metres(gone)))</li>\
      \(summary.devices > 1 ? "<li>\(summary.devices) devices</li>" : "")\
      <li>\(counted(summary.repeats, "repeat", "repeats"))</li>\
      \(problems.isEmpty ? "" : "<li class=\"warn\">\(counted(problems.count, "problem with the zones", "problems with the zones"))</li>")\
      \(summary.missedSignals > 0 ? "<li class=\"warn\">\(counted(summary.missedSignals, "loss of signal", "losses of signal"))</li>" : "")\
      </ul></header>
      """
  }

  /// The control for moving along the track; only with script.
  private var player: String {
    let ticks = alarms.prefix(Self.mostTicks).map { alarm -> String in
      "<i\(alarm.report.cause == .possible ? " class=\"possible\"" : "") style=\"left:\(drawn(axis.share(of: alarm.event.time) * 100))%\"></i>"
    }.joined()
    return """
      <section class="player js" aria-label="Walk along the track"><div class="sign">\(Self.ring(closeness: 0, id: "nowring"))\
      <button type="button" id="play" aria-label="Play">\(Icon.play.svg)</button></div>\
      <div><output id="clock" for="scrub"></output> <span class="sub">\(escaped(PrintedZone.words))</span><p id="nowwords" class="sub"></p></div>\
      <div class="strip"><div class="ticks">\(ticks)</div>\
      <input id="scrub" type="range" min="0" max="1000" step="0.5" value="0" aria-label="Time"></div></section>
      """
  }

  /// The product's symbol: a ring that closes as the phone approaches.
  static func ring(closeness: Double, id: String? = nil) -> String {
    let length = 2 * Double.pi * 20
    return """
      <svg class="closing" viewBox="0 0 48 48" aria-hidden="true"><circle class="rail" cx="24" cy="24" r="20"/>\
      <circle class="arc"\(id.map { " id=\"\($0)\"" } ?? "") cx="24" cy="24" r="20" transform="rotate(-90 24 24)" \
      stroke-dasharray="\(drawn(length * max(0, min(1, closeness)))) \(drawn(length))"/></svg>
      """
  }

  /// 0 at four alert distances (at least a kilometre), 1 at the distance at which it rings.
  static func closeness(_ distance: Distance, alertDistance: Distance) -> Double {
    let far = max(4 * alertDistance.metres, 1000)
    return max(0, min(1, (far - distance.metres) / (far - alertDistance.metres)))
  }

  func zone(_ id: ZoneID) -> PlacedZone? { run.zones.first { $0.zone.id == id } }
  func name(_ id: ZoneID) -> String { displayName(names[id] ?? .empty) }
  func deviceWords(_ device: Int) -> String {
    guard run.devices.count > 1 else { return "" }
    let name = printable(run.devices[device].name)
    return name.isEmpty ? "device \(device + 1)" : name
  }
}
