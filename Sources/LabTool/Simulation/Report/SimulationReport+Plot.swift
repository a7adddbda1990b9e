import CommandLineSupport
import Foundation
import PhoneSimulator

/// A plot of energy against lateness, one dot per policy and host, drawn for a wide and for a narrow window.
extension SimulationReport {
  private struct Frame {
    let name: String
    let width: Double
    let height: Double
    let ticks: [Double]
    static let wide = Self(
      name: "wide", width: 960, height: 480, ticks: [1, 3, 10, 30, 100, 300, 1e3, 3e3, 1e4, 3e4, 1e5])
    static let narrow = Self(name: "narrow", width: 360, height: 420, ticks: [1, 10, 100, 1e3, 1e4, 1e5])
    static let left = 44.0
    static let right = 22.0
    static let top = 18.0
    static let bottom = 44.0
  }

  /// The scales of energy and lateness in a frame; both logarithmic, lateness from one second on.
  private struct Scale {
    let frame: Frame
    let low: Double
    let high: Double

    func x(_ joules: Double) -> Double {
      Frame.left + log(max(joules, low) / low) / log(high / low) * (frame.width - Frame.left - Frame.right)
    }
    func y(_ seconds: Double) -> Double {
      let share = log(1 + max(0, seconds)) / log(1 + EvaluationMetrics.lateCap)
      return frame.height - Frame.bottom - share * (frame.height - Frame.top - Frame.bottom)
    }
    func place(_ line: SimulationRun.Line) -> DrawnPoint {
      DrawnPoint(x: x(max(1, line.metrics.joulesPerDay)), y: y(line.metrics.restrictedMeanLateness))
    }
  }

  /// Lines whose dots would cover each other, under one number.
  private struct Group {
    var lines: [SimulationRun.Line]
    var isOurs: Bool { lines[0].subject.policy == "certified" }
  }

  private var shown: [SimulationRun.Line] {
    lines.filter { $0.metrics.restrictedMeanLateness.isFinite && $0.metrics.joulesPerDay.isFinite }
      .sorted { ($0.metrics.joulesPerDay, $0.subject.policy) < ($1.metrics.joulesPerDay, $1.subject.policy) }
  }

  var plot: String {
    let shown = shown
    guard !shown.isEmpty else { return "<p>No visit required an alarm.</p>" }
    let joules = shown.map { max(1, $0.metrics.joulesPerDay) }
    let low = Foundation.pow(10, Foundation.floor(log10(joules.min() ?? 1)))
    let high = max(low * 10, (joules.max() ?? 1) * 1.25)
    let groups = Self.grouped(shown, Scale(frame: .narrow, low: low, high: high))
    let keys = groups.enumerated().map { number, group -> String in
      let names = group.lines.map { line in
        "<span>\(escaped(words(for: line)))</span><span>\(SimulationTable.number(line.metrics.joulesPerDay, 0)) J, "
          + "\(SimulationTable.number(line.metrics.restrictedMeanLateness, 1)) s</span>"
      }.joined()
      return "<li class=\"\(Self.host(group.lines[0]))\"><b>\(number + 1)</b><div>\(names)</div></li>"
    }.joined()
    let drawings = [Frame.wide, .narrow].map { frame in
      drawing(groups, shown, Scale(frame: frame, low: low, high: high))
    }.joined()
    return """
      \(drawings)
      <p class="keys"><span><i class="dot h1"></i>can wake itself (H1)</span>\
      <span><i class="dot h2"></i>suspended by the system (H2)</span>\
      <span><i class="dot h0"></i>other hosts, and bounds</span></p>
      <details class="all" open><summary>Policies by number</summary><ol class="dots">\(keys)</ol></details>
      """
  }

  private static func grouped(_ lines: [SimulationRun.Line], _ scale: Scale) -> [Group] {
    var groups: [Group] = []
    for line in lines {
      let place = scale.place(line)
      let near = groups.firstIndex { group in
        let other = scale.place(group.lines[0])
        return host(group.lines[0]) == host(line) && group.isOurs == (line.subject.policy == "certified")
          && abs(other.x - place.x) < 13 && abs(other.y - place.y) < 13
      }
      if let near { groups[near].lines.append(line) } else { groups.append(Group(lines: [line])) }
    }
    return groups
  }

  private static func host(_ line: SimulationRun.Line) -> String {
    switch line.subject.host {
    case "H1": "h1"
    case "H2": "h2"
    default: "h0"
    }
  }

  func words(for line: SimulationRun.Line) -> String {
    let profile = run.setting.profiles.count > 1 ? ", \(line.subject.profile)" : ""
    return "\(line.subject.policy)\(line.subject.host == "-" ? "" : " on \(line.subject.host)")\(profile)"
  }

  private func drawing(_ groups: [Group], _ lines: [SimulationRun.Line], _ scale: Scale) -> String {
    let frame = scale.frame
    var marks = ""
    for joules in frame.ticks where joules >= scale.low && joules <= scale.high {
      marks += """
        <path class="tick" d="M\(drawn(scale.x(joules))) \(drawn(Frame.top))V\(drawn(frame.height - Frame.bottom))"/>\
        <text x="\(drawn(scale.x(joules)))" y="\(drawn(frame.height - Frame.bottom + 18))" text-anchor="middle">\
        \(fixedPoint(joules, decimals: 0))</text>
        """
    }
    for seconds in [0.0, 3, 10, 30, 100, 300] {
      let y = scale.y(seconds)
      marks += """
        <path class="tick" d="M\(drawn(Frame.left)) \(drawn(y))H\(drawn(frame.width - Frame.right))"/>\
        <text x="\(drawn(Frame.left - 6))" y="\(drawn(y + 4))" text-anchor="end">\
        \(fixedPoint(seconds, decimals: 0)) s</text>
        """
    }
    marks += curves(lines, scale)
    // The certified policy is drawn last, so that nothing covers it.
    let order = groups.indices.filter { !groups[$0].isOurs } + groups.indices.filter { groups[$0].isOurs }
    let places = groups.map { scale.place($0.lines[0]) }
    var labels: [DrawnPoint] = []
    for number in order {
      let group = groups[number]
      let place = places[number]
      let names = group.lines.map { words(for: $0) }.joined(separator: "; ")
      var label = ""
      if group.isOurs {
        let middle = Self.label(beside: place, dots: places, labels: labels, in: frame)
        labels.append(middle)
        label =
          "<text class=\"ours\" x=\"\(drawn(middle.x))\" y=\"\(drawn(middle.y + 4))\" text-anchor=\"middle\">certified</text>"
      }
      marks += """
        <g class="\(Self.host(group.lines[0]))"><title>\(escaped(names))</title>\
        <circle cx="\(drawn(place.x))" cy="\(drawn(place.y))" r="\(group.isOurs ? 11 : 9)"/>\
        <text class="number" x="\(drawn(place.x))" y="\(drawn(place.y + 3.5))">\(number + 1)</text>\(label)</g>
        """
    }
    return """
      <svg class="pareto \(frame.name)" viewBox="0 0 \(drawn(frame.width)) \(drawn(frame.height))" role="img" \
      aria-label="Energy per day against mean lateness, one dot per policy">\(marks)\
      <text x="\(drawn((frame.width - Frame.right + Frame.left) / 2))" y="\(drawn(frame.height - 6))" \
      text-anchor="middle">joules per day beyond the phone's base load</text></svg>
      """
  }

  /// The place at which a dot's name covers the fewest dots and names: beside it, above or below, at three
  /// distances.
  private static func label(
    beside dot: DrawnPoint, dots: [DrawnPoint], labels: [DrawnPoint], in frame: Frame
  ) -> DrawnPoint {
    let half = DrawnPoint(x: 34, y: 9)
    let ways = [1.0, 1.6, 2.4].flatMap { far in
      [
        DrawnPoint(x: -48, y: 0), DrawnPoint(x: 48, y: 0), DrawnPoint(x: 0, y: -22), DrawnPoint(x: 0, y: 22),
        DrawnPoint(x: -38, y: -20), DrawnPoint(x: 38, y: -20), DrawnPoint(x: -38, y: 20),
        DrawnPoint(x: 38, y: 20),
      ].map { DrawnPoint(x: dot.x + $0.x * far, y: dot.y + $0.y * far) }
    }
    let inside = ways.filter { spot in
      spot.x - half.x > Frame.left && spot.x + half.x < frame.width && spot.y - half.y > 0
        && spot.y + half.y < frame.height - Frame.bottom
    }
    func hidden(_ spot: DrawnPoint) -> Int {
      dots.count { abs($0.x - spot.x) < half.x + 11 && abs($0.y - spot.y) < half.y + 11 }
        + labels.count { abs($0.x - spot.x) < 2 * half.x && abs($0.y - spot.y) < 2 * half.y }
    }
    var best = inside.first ?? DrawnPoint(x: dot.x - 48, y: dot.y)
    for spot in inside.dropFirst() where hidden(spot) < hidden(best) { best = spot }
    return best
  }

  /// One line for each policy with several values of its main parameter.
  private func curves(_ lines: [SimulationRun.Line], _ scale: Scale) -> String {
    struct Curve: Hashable {
      let family: String
      let host: String
      let profile: String
    }
    var points: [Curve: [SimulationRun.Line]] = [:]
    var order: [Curve] = []
    for line in lines {
      let curve = Curve(
        family: SimulatedPolicy.family(of: line.subject.policy), host: line.subject.host,
        profile: line.subject.profile)
      if points[curve] == nil { order.append(curve) }
      points[curve, default: []].append(line)
    }
    return order.map { curve in
      let line = points[curve] ?? []
      guard line.count > 1 else { return "" }
      return
        "<path class=\"curve \(Self.host(line[0]))\" d=\"\(pathData([line.map(scale.place)], closed: false))\"/>"
    }.joined()
  }
}
