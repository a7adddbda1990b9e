import AlarmEngine
import CommandLineSupport
import Formats
import Foundation
import Geometry
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("Fixes that were not used")
struct UnusedFixTests {
  /// A fix each second, moving east along 52° N at ten metres a second.
  static func fix(_ second: Int, north: Double = 0, accuracy: Fix.Accuracy = .radius(.metres(5))) -> Fix {
    Fix(
      position: Coordinate(
        latitude: .degrees(52 + north / 111_200), longitude: .degrees(13 + Double(second) * 0.0001)),
      accuracy: accuracy, measuredAt: Instant(millisecondsSince1970: 1_700_000_000_000 + Int64(second) * 1000)
    )
  }

  static func run(_ fixes: [Fix], zones: [Zone] = [zone(1, "Here", second: 40)], slice: Int = 2000) throws
    -> ReplayRun
  {
    let placed = try zones.map {
      PlacedZone(zone: $0, outline: Outline(try $0.shape(defaultRadius: .metres(50))))
    }
    return try ReplayRun(
      track: TrackFile(
        devices: [TrackFile.Device(name: "", points: fixes.map { TrackFile.Point(fix: $0) })], issues: []),
      zones: placed, settings: Settings(), hdopMetres: nil, slice: slice)
  }

  static func zone(_ id: UInt64, _ name: String, second: Int, north: Double = 0, inset: Double = 0) -> Zone {
    Zone.valid(
      id: ZoneID(rawValue: id), name: Text(name), size: .metres(50), inset: .metres(inset),
      outline: .locations([fix(second, north: north).position]))
  }

  private func page(_ run: ReplayRun) throws -> String {
    let tracks = run.devices.map { MeasuredTrack($0) }
    let summary = try ReplaySummary(run, tracks: tracks)
    return Report(
      run, tracks: tracks, summary: summary, problems: run.unwatched.map { ZoneProblem($0) }, title: "t"
    ).html
  }

  @Test func `an outlier is no part of the way, of the nearest approach or of the chart`() throws {
    let far = Self.zone(2, "North", second: 30, north: 3000)
    var fixes = (0..<80).map { Self.fix($0) }
    fixes[30] = Self.fix(30, north: 3000)
    let run = try Self.run(fixes, zones: [Self.zone(1, "Here", second: 40), far])
    #expect(run.devices[0].unused.map(\.reason) == [.ignored(.outlier)])
    #expect(run.devices[0].believed.count == 79)
    let track = MeasuredTrack(run.devices[0])
    #expect(track.breaks == [30] && track.isBroken(between: 29, and: 30))
    #expect(!track.isBroken(between: 0, and: 29) && !track.isBroken(between: 30, and: 78))
    #expect(track.gone.last! < 600)
    let nearest = try #require(track.nearestApproach(to: run.zones[1]))
    #expect(nearest.distance.metres > 2900)
    let page = try page(run)
    #expect(page.components(separatedBy: "class=\"mark unused\"").count == 2)
    #expect(page.contains("Ignored fix of") && page.contains("and no later fix confirmed it</title>"))
    // GRDB has a `joined()` of its own, which string building must not use by mistake.
    #expect(!page.contains("GRDB"))
    #expect(page.contains("class=\"bridge\"") && page.contains("class=\"curve gap\""))
    let way = try #require(page.range(of: "class=\"way\" d=\""))
    #expect(page[way.upperBound...].prefix { $0 != "\"" }.count { $0 == "M" } == 2)
  }

  @Test func `a last fix that nothing confirms is set aside with its reason`() throws {
    let run = try Self.run((0..<60).map { Self.fix($0) } + [Self.fix(60, north: 5000)])
    #expect(run.devices[0].unused.map(\.reason) == [.undecided])
    let lines = try ReplaySummary(run, tracks: run.devices.map { MeasuredTrack($0) }).lines
    #expect(lines.contains { $0.contains("the track ends before another fix could confirm it") }, "\(lines)")
    #expect(try page(run).contains("the track ends before another fix could confirm it</title>"))
  }

  @Test func `duplicates are counted, and a track of nothing else than refused fixes still makes a page`()
    throws
  {
    let twice = try Self.run((0..<60).flatMap { [Self.fix($0), Self.fix($0)] })
    #expect(twice.devices[0].duplicates == 60 && twice.devices[0].unused.isEmpty)
    #expect(
      UnusedFix.lines(for: UnusedFix.counts(in: twice)).first?.hasPrefix("ignored 60 fixes: duplicate")
        == true)
    let invalid = try Self.run((0..<400).map { Self.fix($0, accuracy: .radius(.metres(-1))) })
    #expect(invalid.devices[0].believed.isEmpty && invalid.devices[0].unused.count == 400)
    let page = try page(invalid)
    #expect(page.contains("Nothing rang") && page.contains("leaves out 100 ignored fixes."))
    #expect(!page.contains("NaN"))
  }

  @Test func `however a track is cut into slices, the same happens`() throws {
    for seed in UInt64(1)...12 {
      var random = SeededGenerator(seed: seed)
      var fixes: [Fix] = []
      for second in 0..<300 {
        let isWild = Int.random(in: 0..<25, using: &random) == 0
        let fix = Self.fix(
          second / 2 * 2, north: isWild ? 4000 : random.normal() * 8,
          accuracy: .radius(.metres(Double.random(in: 1...40, using: &random))))
        fixes.append(fix)
        if Int.random(in: 0..<6, using: &random) == 0 { fixes.append(fix) }
      }
      fixes.shuffle(using: &random)
      let whole = try Self.run(fixes, slice: .max)
      for slice in [1, 7, 128] {
        let run = try Self.run(fixes, slice: slice)
        #expect(run.entries.map(\.event) == whole.entries.map(\.event), "seed \(seed), slices of \(slice)")
        #expect(run.devices[0].duplicates == whole.devices[0].duplicates, "seed \(seed), slices of \(slice)")
      }
    }
  }

  @Test func `a replay stops between two slices when it is asked to`() {
    let track = TrackFile(
      devices: [TrackFile.Device(name: "", points: (0..<500).map { TrackFile.Point(fix: Self.fix($0)) })],
      issues: [])
    var asked: [Int] = []
    #expect(throws: CancellationError.self) {
      _ = try ReplayRun(track: track, zones: [], settings: Settings(), hdopMetres: nil, slice: 100) {
        done, total in
        #expect(total == 500)
        asked.append(done)
        return done < 300
      }
    }
    #expect(asked == [0, 100, 200, 300])
  }
}
