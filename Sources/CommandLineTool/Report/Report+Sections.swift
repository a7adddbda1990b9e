import AlarmEngine
import CommandLineSupport
import Formats
import Geometry

extension Report {
  var alarmSection: String {
    guard !alarms.isEmpty else { return "" }
    let cards = alarms.enumerated().prefix(Self.mostCards).map { card($0.element, number: $0.offset + 1) }
      .joined()
    let rest = alarms.count - Self.mostCards
    let more =
      rest > 0
      ? "<p class=\"sub\">And \(counted(rest, "more alarm", "more alarms")), in the table below.</p>" : ""
    return "<section><h2>Alarms and their reasons</h2>\(cards)\(more)</section>"
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
        evidence.accuracy > .zero
        ? "±\(lengthWords(evidence.accuracy)), counted as \(lengthWords(evidence.error))"
        : "none stated, assumed exact"
      facts.append(("Accuracy", accuracy))
    }
    facts.append(("Happened", timeWords(alarm.event.time)))
    if alarm.event.decidedAt != alarm.event.time {
      facts.append(
        (
          "Decided",
          "\(timeWords(alarm.event.decidedAt)), \(spanWords(alarm.event.decidedAt - alarm.event.time)) later"
        ))
    }
    if alarm.event.learnedAt != alarm.event.decidedAt {
      facts.append(
        (
          "Learned",
          "\(timeWords(alarm.event.learnedAt)), \(spanWords(alarm.event.learnedAt - alarm.event.decidedAt)) later"
        ))
    }
    if alarm.repeats > 0 {
      facts.append(
        (
          "Repeated",
          "\(counted(alarm.repeats, "more time", "more times")) until \(clockWords(alarm.lastRing, nextTo: alarm.event.time))"
        ))
    }
    facts.append(
      (
        "Ended",
        alarm.cleared.map { "\(clockWords($0.time, nextTo: alarm.event.time)), \(words($0.why))" }
          ?? "still ringing when the track ended"
      ))
    if let explanation {
      facts.append(
        ("Re-run", explanation.replayed() == explanation.verdict ? "same verdict" : "a different verdict"))
    }
    let list = facts.map { "<dt>\($0.0)</dt><dd>\(escaped($0.1))</dd>" }.joined()
    let device = deviceWords(alarm.device)
    return """
      <details class="card alarm\(alarm.report.cause == .possible ? " possible" : "")" id="alarm\(number)"\(number <= 2 ? " open" : "")><summary><span class="sign">\
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

  var chartSection: String {
    guard !charts.isEmpty else { return "" }
    let figures = charts.enumerated().map { number, chart -> String in
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
        \(chart.html(number: number, alarms: Array(rang.prefix(Self.mostTicks)), missed: missed))</figure>
        """
    }.joined()
    let more =
      chartsLeftOut > 0
      ? "<p class=\"sub\">And \(counted(chartsLeftOut, "more zone", "more zones")) that rang or were near, without a chart.</p>"
      : ""
    return "<section><h2>Distance over time</h2>\(figures)\(more)</section>"
  }

  /// Problems come first on the page, since such a zone gives no protection.
  var problemSection: String {
    guard !problems.isEmpty else { return "" }
    let rows = problems.prefix(40).map { "<li><b>\(escaped($0.subject))</b>\(escaped($0.words))</li>" }
      .joined()
    let rest = problems.count - 40
    let more = rest > 0 ? "<p class=\"sub\">And \(rest) more.</p>" : ""
    return
      "<section><h2>Zones with problems</h2><ul class=\"card plain warnings\">\(rows)</ul>\(more)</section>"
  }

  var silentSection: String {
    guard !summary.silent.isEmpty else { return "" }
    let rows = summary.silent.prefix(40).map { silent -> String in
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
    return
      "<section><h2>Silent zones and their nearest fix</h2><ul class=\"card rows\">\(rows)</ul>\(more)</section>"
  }

  var ignoredSection: String {
    let title = "<h2>Ignored fixes</h2>"
    guard !summary.ignored.isEmpty else {
      return
        "<section>\(title)<p class=\"sub\">None: all \(counted(summary.fixes, "fix was", "fixes were")) used.</p></section>"
    }
    let rows = summary.ignored.map { "<li><b>\($0.count)</b> \(escaped(words($0.reason)))</li>" }.joined()
    return "<section>\(title)<ul class=\"card plain\">\(rows)</ul></section>"
  }

  var eventSection: String {
    let rows = run.entries.compactMap { entry -> String? in
      let event = entry.event
      let time =
        "<td><time datetime=\"\(rfc3339(event.time))\">\(CalendarTime(event.time).date)<br>\(clockWords(event.time))</time></td>"
      func row(_ kind: String, _ what: String, _ zone: ZoneID, _ why: String) -> String {
        "<tr class=\"\(kind)\">\(time)<td>\(what)</td><td><b>\(escaped(name(zone)))</b><br>\(escaped(why))</td></tr>"
      }
      switch event.kind {
      case .alarm(let report):
        let isPossible = report.cause == .possible
        return row(
          isPossible ? "alarm possible" : "alarm", isPossible ? "Possible" : "Alarm", report.zone,
          ringWords(report.cause, report.distance))
      case .cleared(let report, let why):
        return row("cleared", "Cleared", report.zone, "\(words(why)), \(distanceWords(report.distance))")
      case .missedSignal(let zone, let distance, _):
        return row("lost", "No signal", zone, "no fix while \(distanceWords(distance))")
      case .perhaps(let zone, let distance, _, let probability):
        return row(
          "perhaps", "Perhaps", zone,
          "\(percentage(probability)) likely inside, \(distanceWords(distance))")
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
      <section><h2>All events</h2><div class="card table"><table><thead><tr><th>\(escaped(PrintedZone.words))</th><th>Event</th><th>Zone and reason</th></tr>\
      </thead><tbody>\(rows.prefix(Self.mostRows).joined())</tbody></table></div>\(more)</section>
      """
  }

  var footer: String {
    var cuts = map.cuts(alarms: alarms.count)
    if alarms.count > Self.mostTicks {
      cuts.append(
        counted(alarms.count - Self.mostTicks, "tick of the time line", "ticks of the time line"))
    }
    if tracks.count > Self.mostWays {
      cuts.append(counted(tracks.count - Self.mostWays, "moving dot", "moving dots"))
    }
    let words = cuts.isEmpty ? "" : " To keep the page small it leaves out \(cuts.joined(separator: ", "))."
    return """
      <footer><p>Distances are metres over the WGS 84 ellipsoid to the effective edge, negative or marked “inside” within it. \
      The line of the track is simplified for drawing, without effect on alarms, and dashed across ignored fixes.\(words)\
      \(summary.repeats > 0 ? " An unanswered alarm repeats for at most 24 hours." : "")</p></footer>
      """
  }
}
