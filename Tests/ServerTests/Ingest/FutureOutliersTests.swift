import AlarmEngine
import Formats
import Foundation
import Geometry
import Store
import TestSupport
import Testing

@testable import AlarmService

@Suite("Future positions that disagree with their batch")
struct FutureOutliersTests {
  private let received = Instant(millisecondsSince1970: 1_790_000_000_000)
  private static let year = 365.0 * 86_400

  /// A batch that arrives `at` seconds after the first.
  /// - Parameter times: measurement times in seconds after the arrival.
  private func fixes(_ times: [Double], at: Double = 0) -> [StoredFix] {
    let arrival = received + .seconds(at)
    return times.map {
      StoredFix(
        Fix(
          position: TestPlaces.inside, accuracy: .radius(.metres(12)), measuredAt: arrival + .seconds($0),
          receivedAt: arrival))
    }
  }

  private func putRight(_ times: [Double], _ clock: PhoneClock = PhoneClock()) -> (
    times: [Double], behind: Double
  ) {
    var clock = clock
    let right = clock.putRight(fixes(times))
    return (right.map { ($0.fix.measuredAt - received).seconds }, clock.behind.seconds)
  }

  @Test(arguments: [30.0 + 60, 3600, year, 4 * year])
  func `one of them moves no other`(ahead: Double) {
    for place in 0...6 {
      var times = [-50.0, -40, -30, -20, -10, 0]
      times.insert(ahead, at: place)
      let found = putRight(times)
      #expect(found.times == times)
      #expect(found.behind == 0)
    }
    #expect(putRight([0, ahead]).times == [0, ahead])
    #expect(putRight([-7200, -7100, -7000, ahead]).times == [-7200, -7100, -7000, ahead])
  }

  @Test func `alone it counts as now`() {
    #expect(putRight([Self.year]).times == [0])
    #expect(putRight([Self.year, Self.year + 10]).times == [-10, 0])
  }

  @Test func `a batch of a clock that is ahead agrees, and is moved as a whole`() {
    #expect(putRight([550, 560, 570, 580, 590, 600]).times == [-50, -40, -30, -20, -10, 0])
    // Times from the past into the future without a gap.
    #expect(putRight([-30, -20, -10, 0, 10, 20]).times == [-50, -40, -30, -20, -10, 0])
    #expect(putRight([-900, 0, 900]).times == [-1800, -900, 0])
    // One of them is further ahead than the others.
    #expect(putRight([580, 590, 600, Self.year]).times == [-20, -10, 0, Self.year])
  }

  @Test func `by a clock that is known to be ahead the present is later`() {
    let ahead = PhoneClock(behind: .seconds(-7200))
    #expect(putRight([7180, 7190, 7200, Self.year], ahead).times == [-20, -10, 0, Self.year])
    #expect(putRight([7100, 7200], ahead).behind == -7200)
  }

  @Test(arguments: Seeds.few(200))
  func `of a right batch with one future member only that one is set aside`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var time = random.double(in: -60...0)
    var times = [time]
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      time -= random.double(in: 1...60)
      times.append(time)
    }
    times.shuffle(using: &random)
    let ahead = pow(10, random.double(in: log10(300)...9))
    var mixed = times
    mixed.insert(ahead, at: Int.random(in: 0...times.count, using: &random))
    let batch = fixes(mixed)
    var clock = PhoneClock()
    #expect(clock.putRight(batch) == batch, "seed \(seed)")
    #expect(clock.behind == .zero, "seed \(seed)")
    // The clock keeps no trace of the outlier: the next post is judged as if there had been none.
    let next = fixes([0], at: 30)
    #expect(clock.putRight(next) == next, "seed \(seed)")
  }

  @Test func `a walk into a zone rings despite one, which is stored but not judged`() async throws {
    try await IngestScene.run { scene in
      let now = scene.server.clock.now
      var fixes: [(place: Coordinate, time: Instant)] = []
      for step in 0..<6 {
        let place = Geodesic.destination(
          from: TestPlaces.inside, azimuth: .degrees(0), distance: .metres(300 - 60 * Double(step)))
        fixes.append((place, now - .seconds(50 - 10 * Double(step))))
      }
      // The engine would still accept 3 min ahead.
      for (index, ahead) in [TimeSpan.minutes(3), .hours(4 * 365 * 24)].enumerated() {
        fixes.insert((TestPlaces.outside, now + ahead), at: 2 + 2 * index)
      }
      let features = fixes.map { place, time -> String in
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\(place.longitude.degrees),\(place.latitude.degrees)]},\
        "properties":{"timestamp":"\(RFC3339.string(from: time))","horizontal_accuracy":8,"device_id":"phone"}}
        """
      }
      let reply = try await scene.phone.post(
        "/overland", #"{"locations":[\#(features.joined(separator: ","))]}"#)
      #expect(reply.status == 200)
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      let last = try #require(try await scene.theDevice().lastFix)
      #expect(last.measuredAt == now && last.position != TestPlaces.outside)
    }
  }
}
