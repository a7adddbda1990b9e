import AlarmEngine
import Geometry

/// One page that shows a replay: where, when and why it rang, and how near the silent zones were.
///
/// Self-contained: it loads nothing, from nowhere.
struct Report {
  private let run: ReplayRun
  private let summary: ReplaySummary
  private let title: String
  private let tracks: [MeasuredTrack]
  private let names: [ZoneID: Text]
  let alarms: [ReportedAlarm]
  private let axis: TimeAxis
  private let map: ReportMap
  private let charts: [DistanceChart]

  private static let mostCharts = 14
  private static let mostCards = 150
  private static let mostRows = 1500
  /// A silent zone is worth a chart when the track came this near, or to four alert distances.
  private static let near = 1000.0

  /// - Precondition: there is a fix.
  init(_ run: ReplayRun, tracks: [MeasuredTrack], summary: ReplaySummary, title: String) {
    self.run = run
    self.summary = summary
    self.title = title
    self.tracks = tracks
    names = run.zoneNames
    alarms = ReportedAlarm.all(in: run)
    axis = TimeAxis(tracks.flatMap { $0.fixes.map(\.measuredAt) }.sorted())
    let close = summary.silent.prefix { silent in
      guard let nearest = silent.nearest else { return false }
      return nearest.distance.metres <= max(Self.near, 4 * silent.zone.alertDistance.metres)
    }.map(\.zone.id)
    map = ReportMap(run, tracks: tracks, ringing: summary.ringing, closest: Array(close.prefix(20)))
    charts = Self.charts(run, tracks, alarms, close, axis)
  }

  /// First the zones that rang, in the order in which they did, then those that came close.
  private static func charts(
    _ run: ReplayRun, _ tracks: [MeasuredTrack], _ alarms: [ReportedAlarm], _ close: [ZoneID],
    _ axis: TimeAxis
  ) -> [DistanceChart] {
    var wanted: [(device: Int, zone: ZoneID)] = []
    for alarm in alarms where !wanted.contains(where: { $0 == (alarm.device, alarm.report.zone) }) {
      wanted.append((alarm.device, alarm.report.zone))
      if wanted.count == mostCharts { break }
    }
    for zone in close where wanted.count < mostCharts {
      guard let placed = run.zones.first(where: { $0.zone.id == zone }) else { continue }
      let nearest = tracks.indices.compactMap { device in
        tracks[device].nearestApproach(to: placed).map { (device, $0.distance) }
      }.min { $0.1 < $1.1 }
      if let nearest { wanted.append((nearest.0, zone)) }
    }
    return wanted.compactMap { device, zone in
      guard let placed = run.zones.first(where: { $0.zone.id == zone }) else { return nil }
      return DistanceChart(placed, device: device, track: tracks[device], axis: axis)
    }
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline'; img-src data:">
    <title>\(escaped(title)): what rang, and why</title>
    <style>\(reportStyle)</style></head>
    <body>
    <section class="map" aria-label="Map">\(map.html(alarms: alarms))\(mapTools)</section>
    <main>\(header)\(player)\(alarmSection)\(chartSection)\(silentSection)\(ignoredSection)\(eventSection)\(footer)</main>
    <script type="application/json" id="data">\(data)</script>
    <script>\(reportScript)</script>
    </body></html>

    """
  }

  private var mapTools: String {
    """
    <div class="tools js"><button type="button" id="zoomin" aria-label="Zoom in">\(Icon.plus.svg)</button>\
    <button type="button" id="zoomout" aria-label="Zoom out">\(Icon.minus.svg)</button>\
    <button type="button" id="whole" aria-label="Show all">\(Icon.whole.svg)</button></div>\
    <div class="scale js" aria-hidden="true"><span id="scalewords"></span><i id="scalebar"></i></div>\
    <div class="legend"><span class="k way">track</span><span class="k rang">rang</span>\
    <span class="k silent">silent</span><span class="k ring">alert distance</span></div>
    """
  }

  private var header: String {
    let first = axis.stretches.first!.start
    let last = tracks.compactMap(\.fixes.last?.measuredAt).max() ?? first
    let gone = tracks.compactMap(\.gone.last).reduce(0, +)
    let headline = alarms.isEmpty ? "Nothing rang" : counted(alarms.count, "alarm", "alarms")
    let sameDay = CalendarTime(first).date == CalendarTime(last).date
    let span =
      "\(CalendarTime(first).date), \(CalendarTime(first).clock) to "
      + "\(sameDay ? "" : CalendarTime(last).date + ", ")\(CalendarTime(last).clock) UTC"
    return """
      <header><h1>\(headline)</h1><p class="sub"><b>\(escaped(title))</b> through \
      \(counted(run.zones.count, "zone", "zones"))</p><p class="sub">\(span)</p>
      <ul class="chips"><li>\(counted(summary.fixes, "fix", "fixes"))</li>\
      <li>\(lengthWords(.metres(gone)))</li>\
      \(summary.devices > 1 ? "<li>\(summary.devices) devices</li>" : "")\
      <li>\(counted(summary.repeats, "repeat", "repeats"))</li>\
      \(summary.missedSignals > 0 ? "<li class=\"warn\">\(counted(summary.missedSignals, "loss of signal", "losses of signal"))</li>" : "")\
      </ul></header>
      """
  }

  /// The strip that walks along the track; only with script.
  private var player: String {
    let ticks = alarms.prefix(400).map { alarm in
      "<i style=\"left:\(drawn(axis.share(of: alarm.event.time) * 100))%\"></i>"
    }.joined()
    return """
      <section class="player js" aria-label="Walk along the track"><div class="sign">\(Self.ring(closeness: 0, id: "nowring"))\
      <button type="button" id="play" aria-label="Play">\(Icon.play.svg)</button></div>\
      <div><output id="clock" for="scrub"></output><p id="nowwords" class="sub"></p></div>\
      <div class="strip"><div class="ticks">\(ticks)</div>\
      <input id="scrub" type="range" min="0" max="1000" step="0.5" value="0" aria-label="Time"></div></section>
      """
  }

  /// The sign of the product: the ring that closes as one comes near.
  static func ring(closeness: Double, id: String? = nil) -> String {
    let length = 2 * Double.pi * 20
    return """
      <svg class="closing" viewBox="0 0 48 48" aria-hidden="true"><circle class="rail" cx="24" cy="24" r="20"/>\
      <circle class="arc"\(id.map { " id=\"\($0)\"" } ?? "") cx="24" cy="24" r="20" transform="rotate(-90 24 24)" \
      stroke-dasharray="\(drawn(length * max(0, min(1, closeness)))) \(drawn(length))"/></svg>
      """
  }

  /// 0 at four alert distances (at least a kilometre), 1 where it rings.
  static func closeness(_ distance: Distance, alertDistance: Distance) -> Double {
    let far = max(4 * alertDistance.metres, 1000)
    return max(0, min(1, (far - distance.metres) / (far - alertDistance.metres)))
  }

  private func zone(_ id: ZoneID) -> PlacedZone? { run.zones.first { $0.zone.id == id } }
  private func name(_ id: ZoneID) -> String { displayName(names[id] ?? .empty) }
  private func deviceWords(_ device: Int) -> String {
    guard run.devices.count > 1 else { return "" }
    let name = printable(run.devices[device].name)
    return name.isEmpty ? "device \(device + 1)" : name
  }
}

// MARK: Sections

extension Report {
  private var alarmSection: String {
    guard !alarms.isEmpty else { return "" }
    let cards = alarms.enumerated().prefix(Self.mostCards).map { card($0.element, number: $0.offset + 1) }
      .joined()
    let rest = alarms.count - Self.mostCards
    let more =
      rest > 0
      ? "<p class=\"sub\">And \(counted(rest, "more alarm", "more alarms")), in the table below.</p>" : ""
    return "<section><h2>What rang, and why</h2>\(cards)\(more)</section>"
  }

  private func card(_ alarm: ReportedAlarm, number: Int) -> String {
    let zone = zone(alarm.report.zone)?.zone
    let explanation = explanation(of: alarm)
    var facts: [(String, String)] = []
    if let explanation { facts.append(("Rule", words(explanation.verdict))) }
    facts.append(
      (
        "Distance",
        "\(distanceWords(alarm.report.distance)) (\(fixedPoint(alarm.report.distance.metres, decimals: 2)) m to the effective edge)"
      ))
    if let zone {
      var levels =
        zone.alertDistance > .zero ? "\(lengthWords(zone.alertDistance)) before the edge" : "at the edge"
      if zone.inset != .zero {
        levels += ", outline \(zone.inset < .zero ? "grown" : "shrunk") by \(lengthWords(zone.inset))"
      }
      facts.append(("Rings", levels))
    }
    if case .fix(let evidence)? = explanation?.basis {
      let accuracy =
        evidence.accuracy > 0
        ? "±\(lengthWords(.metres(evidence.accuracy))), counted as \(lengthWords(.metres(evidence.error)))"
        : "none stated, taken as exact"
      facts.append(("Accuracy", accuracy))
    }
    facts.append(("Truly at", rfc3339(alarm.event.time)))
    if alarm.event.decidedAt != alarm.event.time {
      facts.append(
        (
          "Decided",
          "\(rfc3339(alarm.event.decidedAt)), \(spanWords(alarm.event.decidedAt - alarm.event.time)) later"
        ))
    }
    if alarm.event.learnedAt != alarm.event.decidedAt {
      facts.append(
        (
          "Learned",
          "\(rfc3339(alarm.event.learnedAt)), \(spanWords(alarm.event.learnedAt - alarm.event.decidedAt)) later"
        ))
    }
    if alarm.repeats > 0 {
      facts.append(
        (
          "Rang on",
          "\(counted(alarm.repeats, "more time", "more times")) until \(clockWords(alarm.lastRing))"
        ))
    }
    facts.append(
      (
        "Ended",
        alarm.cleared.map { "\(clockWords($0.time)), \(words($0.why))" }
          ?? "still ringing when the track ended"
      ))
    if let explanation {
      facts.append(
        ("Re-run", explanation.replayed() == explanation.verdict ? "same verdict" : "a different verdict"))
    }
    let list = facts.map { "<dt>\($0.0)</dt><dd>\(escaped($0.1))</dd>" }.joined()
    let device = deviceWords(alarm.device)
    return """
      <details class="card alarm" id="alarm\(number)"\(number <= 2 ? " open" : "")><summary><span class="sign">\
      \(Self.ring(closeness: 1))\(Icon.bell.svg)</span><span class="who"><b>\(escaped(name(alarm.report.zone)))</b>\
      <span>\(escaped(device.isEmpty ? "" : device + " · "))\(escaped(sentence(words(alarm.report.cause))))</span></span>\
      <time datetime="\(rfc3339(alarm.event.time))">\(CalendarTime(alarm.event.time).clock)</time></summary>\
      <dl>\(list)</dl>\
      <button type="button" class="chip js" data-goto="\(fixedPoint(axis.share(of: alarm.event.time) * 1000, decimals: 5))">Show on the map</button></details>
      """
  }

  private func explanation(of alarm: ReportedAlarm) -> Explanation? {
    let time = alarm.event.decidedAt
    return run.devices[alarm.device].timeline.explanations(of: alarm.report.zone, in: time...time)
      .first { $0.verdict.rings }
  }

  private func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() }

  private var chartSection: String {
    guard !charts.isEmpty else { return "" }
    let figures = charts.enumerated().map { number, chart in
      let zone = chart.zone.zone
      let rang = alarms.filter { $0.device == chart.device && $0.report.zone == zone.id }
      let missed = run.entries.compactMap { entry -> Instant? in
        guard entry.device == chart.device, case .missedSignal(let id, _, _) = entry.event.kind, id == zone.id
        else { return nil }
        return entry.event.time
      }
      let nearest = chart.samples.min { $0.metres < $1.metres }!
      let device = deviceWords(chart.device)
      let words =
        (rang.isEmpty ? "silent" : "rang \(counted(rang.count, "time", "times"))")
        + ", nearest \(distanceWords(.metres(nearest.metres))) at \(CalendarTime(nearest.time).clock)"
      return """
        <figure class="card" aria-label="\(escaped("Distance to \(name(zone.id)) over time: \(words)"))"><figcaption>\
        <b>\(escaped(name(zone.id)))</b><span>\(escaped(device.isEmpty ? words : "\(device) · \(words)"))</span></figcaption>\
        \(chart.html(number: number, alarms: Array(rang.prefix(400)), missed: missed))</figure>
        """
    }.joined()
    return "<section><h2>Distance over time</h2>\(figures)</section>"
  }

  private var silentSection: String {
    guard !summary.silent.isEmpty else { return "" }
    let rows = summary.silent.prefix(40).map { silent in
      let closeness =
        silent.nearest.map { Self.closeness($0.distance, alertDistance: silent.zone.alertDistance) } ?? 0
      let detail =
        [
          words(silent.zone.trigger),
          silent.zone.alertDistance > .zero
            ? "alerts at \(lengthWords(silent.zone.alertDistance))" : "alerts at the edge",
          silent.zone.active ? "" : "switched off",
        ].filter { !$0.isEmpty }.joined(separator: " · ")
      return """
        <li><span class="sign">\(Self.ring(closeness: closeness))</span><span class="who"><b>\
        \(escaped(displayName(silent.zone.name)))</b><span>\(escaped(sentence(detail)))</span></span>\
        <span class="far"><b>\(silent.nearest.map { distanceWords($0.distance) } ?? "no fix")</b>\
        <span>\(silent.nearest.map { CalendarTime($0.at).clock } ?? "")</span></span></li>
        """
    }.joined()
    let rest = summary.silent.count - 40
    let more =
      rest > 0 ? "<p class=\"sub\">And \(counted(rest, "more zone", "more zones")), farther away.</p>" : ""
    return "<section><h2>Silent, at their nearest</h2><ul class=\"card rows\">\(rows)</ul>\(more)</section>"
  }

  private var ignoredSection: String {
    let title = "<h2>Ignored fixes</h2>"
    guard !summary.ignored.isEmpty else {
      return
        "<section>\(title)<p class=\"sub\">None: all \(counted(summary.fixes, "fix was", "fixes were")) used.</p></section>"
    }
    let rows = summary.ignored.map { "<li><b>\($0.count)</b> \(escaped(words($0.reason)))</li>" }.joined()
    return "<section>\(title)<ul class=\"card plain\">\(rows)</ul></section>"
  }

  private var eventSection: String {
    let rows = run.entries.compactMap { entry -> String? in
      let event = entry.event
      let time =
        "<td><time datetime=\"\(rfc3339(event.time))\">\(CalendarTime(event.time).date)<br>\(clockWords(event.time))</time></td>"
      func row(_ kind: String, _ what: String, _ zone: ZoneID, _ why: String) -> String {
        "<tr class=\"\(kind)\">\(time)<td>\(what)</td><td><b>\(escaped(name(zone)))</b><br>\(escaped(why))</td></tr>"
      }
      switch event.kind {
      case .alarm(let report):
        return row("alarm", "Alarm", report.zone, ringWords(report.cause, report.distance))
      case .cleared(let report, let why):
        return row("cleared", "Cleared", report.zone, "\(words(why)), \(distanceWords(report.distance))")
      case .missedSignal(let zone, let distance, _):
        return row("lost", "No signal", zone, "no fix while \(distanceWords(distance))")
      case .notice(let zone):
        return row(
          "notice", "Notice", zone, self.zone(zone)?.zone.notice.map { printable($0.title.string) } ?? "")
      case .repeat, .ignored, .proposal:
        return nil
      }
    }
    guard !rows.isEmpty else { return "" }
    let rest = rows.count - Self.mostRows
    let more =
      rest > 0
      ? "<p class=\"sub\">And \(counted(rest, "more event", "more events")): the command prints them all.</p>"
      : ""
    return """
      <section><h2>All events</h2><div class="card table"><table><thead><tr><th>UTC</th><th>What</th><th>Zone and reason</th></tr>\
      </thead><tbody>\(rows.prefix(Self.mostRows).joined())</tbody></table></div>\(more)</section>
      """
  }

  private var footer: String {
    let left = map.zonesLeftOut
    let words =
      left > 0 ? " \(counted(left, "zone near the track is", "zones near the track are")) not drawn." : ""
    return """
      <footer><p>Distances are metres over the WGS 84 ellipsoid to the level that counts: inside is negative or “inside”. \
      The line of the track is thinned for drawing, the alarms are not.\(words) Times are UTC.</p></footer>
      """
  }
}

// MARK: For the script

extension Report {
  /// Where each device was when, and how far from the charted zones; times are seconds since the first fix.
  private var data: String {
    let start = axis.stretches.first!.start
    func seconds(_ time: Instant) -> String { drawn((time - start).seconds) }
    let ways = tracks.indices.prefix(60).map { device in
      let kept = map.kept[device]
      let fixes = tracks[device].fixes
      let times = kept.map { seconds(fixes[$0].measuredAt) }.joined(separator: ",")
      let xs = kept.map { drawn(map.place(device: device, fix: $0).x) }.joined(separator: ",")
      let ys = kept.map { drawn(map.place(device: device, fix: $0).y) }.joined(separator: ",")
      return "{\"t\":[\(times)],\"x\":[\(xs)],\"y\":[\(ys)]}"
    }
    let series = charts.map { chart in
      let times = chart.samples.map { seconds($0.time) }.joined(separator: ",")
      let metres = chart.samples.map { fixedPoint($0.metres, decimals: 1) }.joined(separator: ",")
      let name = scriptSafe(JSONLine.quoted(displayName(chart.zone.zone.name)))
      return
        "{\"name\":\(name),\"alert\":\(drawn(chart.zone.zone.alertDistance.metres)),\"t\":[\(times)],\"d\":[\(metres)]}"
    }
    let stretches = axis.stretches.map {
      "[\(seconds($0.start)),\(seconds($0.end)),\(fixedPoint($0.left, decimals: 6)),\(fixedPoint($0.right, decimals: 6))]"
    }
    return "{\"start\":\(start.millisecondsSince1970),\"ways\":[\(ways.joined(separator: ","))],"
      + "\"series\":[\(series.joined(separator: ","))],\"axis\":[\(stretches.joined(separator: ","))]}"
  }

  /// Nothing in the data may end its element.
  private func scriptSafe(_ json: String) -> String {
    String(
      json.unicodeScalars.reduce(into: String.UnicodeScalarView()) { out, scalar in
        switch scalar {
        case "<": out.append(contentsOf: "\\u003c".unicodeScalars)
        case ">": out.append(contentsOf: "\\u003e".unicodeScalars)
        case "&": out.append(contentsOf: "\\u0026".unicodeScalars)
        case "'": out.append(contentsOf: "\\u0027".unicodeScalars)
        default: out.append(scalar)
        }
      })
  }
}
