import AlarmEngine
import CommandLineSupport
import Geometry

extension Report {
  /// The track of each device with the accuracy in metres, and its distances from the charted zones; times
  /// are seconds since the first fix.
  var data: String {
    let start = axis.stretches.first!.start
    func seconds(_ time: Instant) -> String { drawn((time - start).seconds) }
    let ways = tracks.indices.prefix(Self.mostWays).map { device in
      let kept = map.kept[device]
      let fixes = tracks[device].fixes
      let times = kept.map { seconds(fixes[$0].measuredAt) }.joined(separator: ",")
      let xs = kept.map { drawn(map.place(device: device, fix: $0).x) }.joined(separator: ",")
      let ys = kept.map { drawn(map.place(device: device, fix: $0).y) }.joined(separator: ",")
      let radii = kept.map { index -> String in
        guard case .radius(let radius) = fixes[index].accuracy else { return "0" }
        return drawn(radius.metres)
      }.joined(separator: ",")
      return "{\"t\":[\(times)],\"x\":[\(xs)],\"y\":[\(ys)],\"r\":[\(radii)]}"
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
    let end = axis.stretches.last!.end
    let offsets = PrintedZone.offsets(from: start, to: end).map { "[\(seconds($0.from)),\($0.seconds)]" }
    return
      "{\"start\":\(start.millisecondsSince1970),\"offsets\":[\(offsets.joined(separator: ","))],\"ways\":[\(ways.joined(separator: ","))],"
      + "\"series\":[\(series.joined(separator: ","))],\"axis\":[\(stretches.joined(separator: ","))]}"
  }
}
