import AlarmEngine
import CommandLineSupport
import Foundation
import Geometry

/// The distance of one device to one zone over time, for people.
///
/// The scale is linear within ten metres of the edge and logarithmic beyond, so that both a kilometre and a
/// step are visible.
struct DistanceChart {
  let zone: PlacedZone
  let device: Int
  /// Times and effective distances in metres; at most two for each of `columns`, the extremes in it.
  let samples: [Sample]
  private let lowest: Double
  private let highest: Double
  private let axis: TimeAxis

  struct Sample {
    let time: Instant
    let metres: Double
    /// True if unused fixes lie between the previous sample and this one.
    let isAfterGap: Bool
  }

  static let height = 168.0
  private static let columns = 500
  private static let linear = 10.0

  /// - Returns: nil for a track without fixes.
  init?(_ zone: PlacedZone, device: Int, track: MeasuredTrack, axis: TimeAxis) {
    self.zone = zone
    self.device = device
    self.axis = axis
    let all = track.distances(to: zone)
    guard !all.isEmpty else { return nil }
    let kept = Self.thinned(all, track, axis)
    samples = kept.enumerated().map { number, sample in
      Sample(
        time: track.fixes[sample.index].measuredAt, metres: sample.metres,
        isAfterGap: number > 0 && track.isBroken(between: kept[number - 1].index, and: sample.index))
    }
    lowest = Self.scaled(min(-15, zone.zone.alertDistance.metres * -0.2, all.map(\.metres).min()!))
    highest = Self.scaled(max(60, zone.zone.alertDistance.metres * 3, all.map(\.metres).max()!))
  }

  /// The least and the greatest distance in each column, so that no peak is lost.
  private static func thinned(
    _ all: [(index: Int, metres: Double)], _ track: MeasuredTrack, _ axis: TimeAxis
  ) -> [(index: Int, metres: Double)] {
    guard all.count > columns * 2 else { return all }
    func column(_ sample: (index: Int, metres: Double)) -> Int {
      Int(axis.share(of: track.fixes[sample.index].measuredAt) * Double(columns))
    }
    var kept: [(index: Int, metres: Double)] = []
    var start = 0
    while start < all.count {
      let here = column(all[start])
      var end = start
      var low = start
      var high = start
      while end < all.count, column(all[end]) == here {
        if all[end].metres < all[low].metres { low = end }
        if all[end].metres > all[high].metres { high = end }
        end += 1
      }
      for index in Set([start, low, high, end - 1]).sorted() { kept.append(all[index]) }
      start = end
    }
    return kept
  }

  private static func scaled(_ metres: Double) -> Double {
    metres < 0 ? -log10(1 - metres / linear) : log10(1 + metres / linear)
  }

  private func y(_ metres: Double) -> Double {
    let share = (highest - Self.scaled(metres)) / (highest - lowest)
    return max(0, min(1, share)) * Self.height
  }

  /// The chart with its labels, for one figure of the page.
  func html(number: Int, alarms: [ReportedAlarm], missed: [Instant]) -> String {
    let alertMetres = zone.zone.alertDistance.metres
    let edge = y(0)
    let ring = y(max(0, alertMetres))
    var svg =
      "<svg viewBox=\"0 0 1000 \(drawn(Self.height))\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    for stretch in axis.stretches {
      let left = stretch.left * 1000
      svg +=
        "<rect class=\"lane\" x=\"\(drawn(left))\" width=\"\(drawn(stretch.right * 1000 - left))\" y=\"0\" height=\"\(drawn(Self.height))\"/>"
    }
    for alarm in alarms {
      let left = axis.share(of: alarm.event.time) * 1000
      let right = axis.share(of: alarm.cleared?.time ?? axis.stretches.last!.end) * 1000
      svg +=
        "<rect class=\"span\" x=\"\(drawn(left))\" width=\"\(drawn(max(2, right - left)))\" y=\"0\" height=\"\(drawn(Self.height))\"/>"
    }
    if alertMetres > 0 {
      svg +=
        "<rect class=\"band\" x=\"0\" width=\"1000\" y=\"\(drawn(ring))\" height=\"\(drawn(edge - ring))\"/>"
    }
    svg +=
      "<rect class=\"in\" x=\"0\" width=\"1000\" y=\"\(drawn(edge))\" height=\"\(drawn(Self.height - edge))\"/>"
    for tick in ticks { svg += "<path class=\"grid\" d=\"M0 \(drawn(y(tick)))H1000\"/>" }
    svg += "<path class=\"edge\" d=\"M0 \(drawn(edge))H1000\"/>"
    if alertMetres > 0 { svg += "<path class=\"alert\" d=\"M0 \(drawn(ring))H1000\"/>" }
    let (lines, gaps) = curves
    let curve = pathData(lines, closed: false)
    if !gaps.isEmpty { svg += "<path class=\"curve gap\" d=\"\(pathData(gaps, closed: false))\"/>" }
    svg +=
      "<clipPath id=\"near\(number)\"><rect x=\"0\" width=\"1000\" y=\"\(drawn(ring))\" height=\"\(drawn(Self.height + 9))\"/></clipPath>"
    svg +=
      "<path class=\"curve\" d=\"\(curve)\"/><path class=\"curve near\" clip-path=\"url(#near\(number))\" d=\"\(curve)\"/>"
    for alarm in alarms {
      svg +=
        "<path class=\"rang\" d=\"M\(drawn(axis.share(of: alarm.event.time) * 1000)) 0V\(drawn(Self.height))\"/>"
    }
    for time in missed {
      svg += "<path class=\"lost\" d=\"M\(drawn(axis.share(of: time) * 1000)) 0V\(drawn(Self.height))\"/>"
    }
    svg += "<path class=\"now\" d=\"M0 0V\(drawn(Self.height))\"/></svg>"
    return "<div class=\"plot\">\(svg)\(labels)</div>"
  }

  /// The curve, broken at the breaks of the time axis and at unused fixes, which are bridged by a separate
  /// line.
  private var curves: (lines: [[DrawnPoint]], gaps: [[DrawnPoint]]) {
    var lines: [[DrawnPoint]] = [[]]
    var gaps: [[DrawnPoint]] = []
    for (index, sample) in samples.enumerated() {
      let point = DrawnPoint(x: axis.share(of: sample.time) * 1000, y: y(sample.metres))
      if index > 0, axis.isBroken(between: samples[index - 1].time, and: sample.time) {
        lines.append([])
      } else if sample.isAfterGap, let former = lines.last?.last {
        gaps.append([former, point])
        lines.append([])
      }
      lines[lines.count - 1].append(point)
    }
    // A single fix becomes a short line.
    let drawn = lines.map { line in
      guard line.count == 1 else { return line }
      return [line[0], DrawnPoint(x: line[0].x + 2, y: line[0].y)]
    }
    return (drawn, gaps)
  }

  /// The distances that get a grid line, far enough apart to be readable.
  private var ticks: [Double] {
    var ticks: [Double] = []
    for metres in [0, 100, 1000, -100, 10_000, 100_000, -1000, 10, 1_000_000, -10_000, -100_000] as [Double] {
      let scaled = Self.scaled(metres)
      guard scaled > lowest, scaled < highest,
        ticks.allSatisfy({ abs(y($0) - y(metres)) >= 22 })
      else { continue }
      ticks.append(metres)
    }
    return ticks
  }

  private var labels: String {
    var html = ""
    for tick in ticks {
      let words =
        tick == 0
        ? "edge"
        : (tick < 0 ? "−" : "")
          + lengthWords(.metres(tick)).replacingOccurrences(of: ".0 ", with: " ").replacingOccurrences(
            of: ".00 ", with: " ")
      html += "<span class=\"y\" style=\"top:\(drawn(y(tick) / Self.height * 100))%\">\(words)</span>"
    }
    for (index, tick) in axis.ticks().enumerated() {
      let side = tick.isLast ? " last" : ""
      html +=
        "<span class=\"x\(index % 2 == 1 ? " odd" : "")\(side)\" style=\"left:\(drawn(tick.share * 100))%\">\(tick.words)</span>"
    }
    return html
  }
}
