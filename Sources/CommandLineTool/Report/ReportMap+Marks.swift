import AlarmEngine
import CommandLineSupport
import Foundation
import Geometry

/// Names, pins and crosses: marks that keep their size when the map is zoomed.
extension ReportMap {
  static let mostMarks = 300
  static let mostEnds = 40

  /// Ringing zones first: a name without room is shown when its zone is tapped.
  var labels: String {
    var svg = ""
    let ordered =
      zones.indices.filter { ringing.contains(zones[$0].placed.zone.id) }
      + zones.indices.filter { !ringing.contains(zones[$0].placed.zone.id) }
    for index in ordered {
      let (placed, lines) = zones[index]
      let at = unit(
        lines.effective.isEmpty ? lines.box.middle : projection.point(placed.outline.deepest.point))
      let name = displayName(placed.zone.name)
      svg += mark(
        at, "label \(state(placed.zone))",
        "<text>\(escaped(name.count > 28 ? name.prefix(27) + "…" : name))</text>",
        data: " data-zone=\"\(index)\"")
    }
    return svg
  }

  /// - Parameter aside: the distance of the mark from its place, in the mark's own units; nil for marks that
  ///   never move.
  private func mark(
    _ at: DrawnPoint, _ kind: String, _ content: String, aside: DrawnPoint? = nil,
    data: String = ""
  ) -> String {
    var content = content
    var data = data
    if let aside {
      let (x, y) = (drawn(aside.x), drawn(aside.y))
      content =
        "<path class=\"lead\" d=\"M0 0L\(x) \(y)\"/><g transform=\"translate(\(x) \(y))\">\(content)</g>"
      data += " data-dx=\"\(x)\" data-dy=\"\(y)\""
    }
    return "<g class=\"mark \(kind)\" data-x=\"\(drawn(at.x))\" data-y=\"\(drawn(at.y))\"\(data) "
      + "transform=\"translate(\(drawn(at.x)) \(drawn(at.y))) scale(1.6)\">\(content)</g>"
  }

  var endMarks: String {
    var svg = ""
    for (device, places) in places.enumerated().prefix(Self.mostEnds) {
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

  /// Crosses at unused fixes.
  var unusedMarks: String {
    var svg = ""
    for unused in run.devices.flatMap(\.unused).prefix(Self.mostMarks) {
      let time = CalendarTime(unused.fix.measuredAt).date + " " + clockWords(unused.fix.measuredAt)
      let title = "Ignored fix of \(time): \(words(unused.reason))"
      svg += mark(
        unit(unused.fix.position), "unused",
        "<title>\(escaped(title))</title><circle r=\"9\"/><path class=\"halo\" d=\"M-4.5-4.5l9 9m0-9l-9 9\"/><path d=\"M-4.5-4.5l9 9m0-9l-9 9\"/>"
      )
    }
    return svg
  }

  var lossMarks: String {
    var svg = ""
    for loss in losses.prefix(Self.mostMarks) {
      let words = "Signal lost near \(displayName(names[loss.zone] ?? .empty)) at \(clockWords(loss.time))"
      svg += mark(
        unit(loss.position), "loss",
        "<title>\(escaped(words))</title><circle r=\"12\"/><path d=\"\(Icon.noSignal.rawValue)\" transform=\"translate(-8 -8) scale(.667)\"/>"
      )
    }
    return svg
  }

  private var losses: [(zone: ZoneID, position: Coordinate, time: Instant)] {
    run.entries.compactMap { entry in
      guard case .missedSignal(let zone, _, let position) = entry.event.kind else { return nil }
      return (zone, position, entry.event.time)
    }
  }

  func alarmMarks(_ alarms: [ReportedAlarm]) -> String {
    var svg = ""
    let shown = Array(alarms.prefix(Self.mostMarks))
    let asides = fanned(shown.map { unit($0.report.position) })
    for (number, alarm) in shown.enumerated().reversed() {
      let words = "\(displayName(names[alarm.report.zone] ?? .empty)) rang at \(clockWords(alarm.event.time))"
      let content = """
        <title>\(escaped(words))</title><circle r="15"/><path d="\(Icon.bell.rawValue)" \
        transform="translate(-9.6 -10) scale(.8)"/>
        """
      svg += mark(
        unit(alarm.report.position), alarm.report.cause == .possible ? "alarm possible" : "alarm",
        "<a href=\"#alarm\(number + 1)\" aria-label=\"\(escaped(words))\">\(content)</a>",
        aside: asides[number])
    }
    return svg
  }

  /// The marks left out because there are too many, one phrase each.
  func cuts(alarms: Int) -> [String] {
    var cuts: [String] = []
    func note(_ left: Int, _ one: String, _ many: String) {
      if left > 0 { cuts.append(counted(left, one, many)) }
    }
    note(zonesLeftOut, "zone near the track", "zones near the track")
    note(alarms - Self.mostMarks, "alarm mark", "alarm marks")
    note(losses.count - Self.mostMarks, "mark of a lost signal", "marks of lost signals")
    note(run.devices.reduce(0) { $0 + $1.unused.count } - Self.mostMarks, "ignored fix", "ignored fixes")
    note(places.count - Self.mostEnds, "device's start and end", "devices' starts and ends")
    return cuts
  }
}

/// The offsets at which marks of one place (to a few pixels) are drawn, so that they can be told apart: in a
/// circle, or several. The units are pixels of the page, whose script places the marks anew at every scale.
func fanned(_ places: [DrawnPoint]) -> [DrawnPoint] {
  var groups: [[Int]] = []
  for (index, place) in places.enumerated() {
    let near = groups.firstIndex { group in
      let first = places[group[0]]
      return max(abs(first.x - place.x), abs(first.y - place.y)) < 8
    }
    if let near { groups[near].append(index) } else { groups.append([index]) }
  }
  var asides = [DrawnPoint](repeating: DrawnPoint(x: 0, y: 0), count: places.count)
  for members in groups where members.count > 1 {
    // Neighbours 34 apart; more than six make rings of 6, 12, 18 and so on.
    var ring = 0
    var start = 0
    for (number, index) in members.enumerated() {
      if number - start == 6 * (ring + 1) {
        start = number
        ring += 1
      }
      let count = min(6 * (ring + 1), members.count - start)
      let radius = members.count > 6 ? 34 * Double(ring + 1) : max(20, 17 / sin(.pi / Double(count)))
      let angle = 2 * Double.pi * Double(number - start) / Double(count) - .pi / 2
      asides[index] = DrawnPoint(x: radius * cos(angle), y: radius * sin(angle))
    }
  }
  return asides
}
