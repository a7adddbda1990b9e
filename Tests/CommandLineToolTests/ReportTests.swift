import AlarmEngine
import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Geometry
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("Report")
struct ReportTests {
  private static let hostile = "<script>alert(1)</script>\" onload='x' & \u{202e}evil"

  private func page(zones: String? = nil, steps: Int = 60) throws -> String {
    let folder = try TestFolder()
    let track = try folder.file(
      "<b>walk</b>.gpx".replacingOccurrences(of: "/", with: "-"), Sample.walk(steps: steps))
    let zones = try folder.file(
      "zones.pad",
      zones ?? Sample.circle(Self.hostile, 52, 13.006, alert: 50) + Sample.circle("North", 52.01, 13.006))
    let captured = CapturedConsole()
    let status = captured.run("replay", track, "--zones", zones, "--report", folder.path("report.html"))
    #expect(status == 0, "\(captured.messages)")
    return try folder.text("report.html")
  }

  @Test func `the page loads nothing from anywhere`() throws {
    let page = try page()
    for reference in [
      "http:", "https:", "src=", "@import", "url(h", "<link", "<iframe", "fetch(", "XMLHttpRequest",
    ] {
      // The only addresses are namespace names in the script, which load nothing.
      let found = page.replacingOccurrences(of: "'http://www.w3.org/2000/svg'", with: "")
      #expect(!found.contains(reference), "\(reference)")
    }
    #expect(page.contains("default-src 'none'"))
  }

  @Test func `a name from a stranger stays a name`() throws {
    let page = try page()
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("onload='x'"))
    #expect(!page.contains("\u{202e}"))
    #expect(!page.contains("<b>walk"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    // Only our own two scripts have end tags.
    #expect(page.components(separatedBy: "</script>").count == 3)
  }

  @Test func `alarms, charts, silent zones and events are all there`() throws {
    let page = try page()
    for words in [
      "1 alarm", ">UTC</span>", "repeats for at most 24 hours", "Alarms and their reasons",
      "Within the alert distance", "same verdict", "Distance over time",
      "Silent zones and their nearest fix", "North", "None: all 60 fixes were used", "All events",
      "id=\"alarm1\"",
      "prefers-color-scheme: dark", "width=device-width",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(!page.contains("NaN") && !page.contains("inf "))
  }

  @Test func `the script's data is JSON`() throws {
    let page = try page()
    let start = try #require(page.range(of: "id=\"data\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let parsed = try JSONSerialization.jsonObject(with: Data(page[start.upperBound..<end.lowerBound].utf8))
    let data = try #require(parsed as? [String: Any])
    #expect(Set(data.keys) == ["start", "offsets", "ways", "series", "axis"])
  }

  @Test func `one fix, far zones and the antimeridian make a page, too`() throws {
    #expect(try page(zones: Sample.circle("Far", -52, -170), steps: 1).contains("Nothing rang"))
    #expect(try page(zones: Sample.circle("Pole", 90, 0, size: 500)).contains("Nothing rang"))
  }

  @Test func `the same replay draws the same page`() throws {
    #expect(try page() == page())
  }

  @Test func `a line is thinned by no more than was allowed`() {
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      var point = DrawnPoint(x: 0, y: 0)
      let line = (0..<2500).map { _ in
        point = DrawnPoint(x: point.x + random.normal(), y: point.y + random.normal())
        return point
      }
      let kept = simplified(line, tolerance: 3)
      #expect(kept.first == 0 && kept.last == 2499 && kept.count < 1500, "seed \(seed)")
      for (first, last) in zip(kept, kept.dropFirst()) {
        for index in first...last {
          #expect(distance(line[index], line[first], line[last]) <= 3.000001, "seed \(seed)")
        }
      }
      let times = line.indices.map(Double.init)
      #expect(simplified(line, times: times, tolerance: 0.1, limit: 200).count <= 200, "seed \(seed)")
    }
  }

  private func distance(_ p: DrawnPoint, _ a: DrawnPoint, _ b: DrawnPoint) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = dx * dx + dy * dy
    let share = length > 0 ? max(0, min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0
    let (ex, ey) = (p.x - a.x - share * dx, p.y - a.y - share * dy)
    return (ex * ex + ey * ey).squareRoot()
  }

  @Test func `a thin path is one unbroken line, a wide one bends without turning back`() throws {
    let map = MapProjection(center: Coordinate(latitude: .degrees(52), longitude: .degrees(13)))
    let path = [(52.0, 13.0), (52.01, 13.002), (52.02, 13.0)].map {
      Coordinate(latitude: .degrees($0.0), longitude: .degrees($0.1))
    }
    for (size, isThin) in [(2.5, true), (200, false)] {
      let zone = Zone.valid(
        id: ZoneID(rawValue: 1), name: "Way", size: .metres(size), alertDistance: .metres(20),
        outline: .path(path))
      let placed = PlacedZone(zone: zone, outline: Outline(try zone.shape(defaultRadius: .metres(50))))
      let lines = try #require(ZoneLines(placed, on: map))
      #expect(lines.outline.count == 1 && lines.alert?.count == 1 && lines.isWound == isThin, "\(size) m")
      for point in lines.outline.joined() {
        let distance = placed.outline.signedDistance(from: map.place(point)).metres
        #expect(isThin ? abs(distance) < 0.1 : abs(distance) < 2, "\(size) m")
      }
    }
  }

  @Test func `a land across the antimeridian is drawn in one piece, on the nearer side`() {
    func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
      Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
    }
    let map = MapProjection(center: place(52, 5))
    let ring = [place(65, -170), place(50, 160), place(50, 40), place(70, 40), place(70, 178)]
    let line = map.line(ring)
    let widest = zip(line, line.dropFirst()).map { abs($0.x - $1.x) }.max()!
    #expect(widest < 140 * 111_200)
    #expect(line.allSatisfy { $0.x > 0 })
  }

  @Test func `alarm marks of one place fan out, others stay`() {
    for count in [2, 3, 7, 12, 13, 40] {
      let places =
        [DrawnPoint](repeating: DrawnPoint(x: 100, y: 50), count: count) + [DrawnPoint(x: 300, y: 0)]
      let asides = fanned(places)
      #expect(asides.last == DrawnPoint(x: 0, y: 0))
      for i in 0..<count {
        for j in 0..<i {
          let (dx, dy) = (asides[i].x - asides[j].x, asides[i].y - asides[j].y)
          #expect((dx * dx + dy * dy).squareRoot() > 25, "\(i) and \(j) of \(count)")
        }
      }
    }
  }

  @Test func `the map is true at its middle and reads back`() {
    for (latitude, longitude) in [(52.5, 13.4), (-33.9, 151.2), (0, 179.999), (70, -179.99)] {
      let center = Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
      let map = MapProjection(center: center)
      for azimuth in stride(from: 0.0, to: 360, by: 30) {
        let place = Geodesic.destination(from: center, azimuth: .degrees(azimuth), distance: .metres(1000))
        let point = map.point(place)
        #expect(abs((point.x * point.x + point.y * point.y).squareRoot() - 1000) < 0.5)
        #expect(map.place(point).distance(to: place).metres < 0.001)
      }
    }
  }

  @Test func `labels of the time axis do not overlap, whatever gaps there are`() {
    var generator = SeededGenerator(seed: 7)
    var isAnyLong = false
    for _ in 0..<500 {
      var time: Int64 = 1_722_981_600_000
      var times: [Instant] = []
      for _ in 0..<Int.random(in: 2...40, using: &generator) {
        time +=
          Int64.random(in: 1...(Bool.random(using: &generator) ? 600 : 90_000), using: &generator) * 1000
        times.append(Instant(millisecondsSince1970: time))
      }
      let ticks = TimeAxis(times).ticks()
      isAnyLong = isAnyLong || ticks.contains { $0.words.count > 5 }
      for (left, right) in zip(ticks, ticks.dropFirst()) {
        #expect(left.covers.upperBound < right.covers.lowerBound, "\(left.words) | \(right.words)")
      }
    }
    #expect(isAnyLong)
  }

  @Test func `long silences are cut out of the time axis, in order`() {
    let times = [0, 60, 120, 90_000, 90_060, 500_000].map { Instant(millisecondsSince1970: Int64($0) * 1000) }
    let axis = TimeAxis(times)
    #expect(axis.stretches.count == 3)
    let shares = times.map(axis.share)
    #expect(shares == shares.sorted() && shares.first == 0 && shares.last! <= 1)
    #expect(
      axis.isBroken(between: times[2], and: times[3]) && !axis.isBroken(between: times[0], and: times[2]))
  }
}
