import AlarmEngine
import Foundation
import Geometry
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("A phone's clock")
struct PhoneClockTests {
  private let start = Instant(millisecondsSince1970: 1_790_000_000_000)

  /// One fix: its arrival, and its age by the phone's clock at the arrival, in seconds.
  private typealias Post = (at: Double, behind: Double)

  /// The corrected age of each fix at its arrival, in seconds.
  private func spans(_ posts: [Post]) -> [Double] {
    var clock = PhoneClock()
    return posts.map { post in
      let received = start + .seconds(post.at)
      let fix = Fix(
        position: TestPlaces.inside, accuracy: .radius(.metres(12)),
        measuredAt: received - .seconds(post.behind), receivedAt: received)
      let right = clock.putRight([StoredFix(fix)])
      return (received - right[0].fix.measuredAt).seconds
    }
  }

  @Test func `set back two hours: from the third live fix on it is put right, by the least delay`() {
    #expect(
      spans([(0, 1), (30, 7202), (60, 7201), (90, 7203), (120, 7202), (150, 7201)])
        == [1, 7202, 7201, 2, 1, 0])
  }

  @Test func `what was kept and comes later is never taken for live`() {
    // Two hours offline with a fix a minute: sent one by one, ten a second.
    let kept = (0..<120).map { index -> Post in
      let at = Double(index) / 10
      return (at, 7200 - Double(index) * 60 + at)
    }
    let unchanged = kept.map { post in post.behind }
    for (found, expected) in zip(spans(kept), unchanged) { #expect(abs(found - expected) < 0.002) }
    // Sent slowly, two a minute, so that it takes an hour to catch up.
    let slow = (0..<120).map { index -> Post in (Double(index) * 30, 7200 - Double(index) * 30) }
    let asBefore = slow.map { post in post.behind }
    #expect(spans(slow) == asBefore)
    // Sent at once, then live.
    #expect(spans([(0, 7200), (0.2, 7200), (0.4, 7200), (1, 2), (31, 1)]) == [7200, 7200, 7200, 2, 1])
  }

  @Test func `the same post sent again and again says nothing`() {
    let again = (0..<10).map { index -> Post in (Double(index) * 30, 7200 + Double(index) * 30) }
    let asBefore = again.map { post in post.behind }
    #expect(spans(again) == asBefore)
  }

  @Test func `set right again, or to another wrong time: it starts anew`() {
    let wrong: [Post] = [(0, 7200), (30, 7200), (60, 7200)]
    #expect(spans(wrong + [(90, 1), (120, 7200)]) == [7200, 7200, 0, 1, 7200])
    #expect(
      spans(wrong + [(90, 3600), (120, 3600), (150, 3600)]) == [7200, 7200, 0, 3600, 3600, 0])
    #expect(
      spans(wrong + [(90, 9000), (120, 9000), (150, 9000)]) == [7200, 7200, 0, 1800, 1800, 0])
  }

  @Test func `what a phone with a wrong clock kept is put at its own true time`() {
    #expect(spans([(0, 7200), (30, 7200), (60, 7200), (600, 7500), (601, 7200)]) == [7200, 7200, 0, 300, 0])
  }

  @Test func `ahead by more than messages take: put right at once`() {
    #expect(spans([(0, -7200), (30, -7199), (60, -7198), (90, -4)]) == [0, 1, 2, -4])
    #expect(spans([(0, -8), (30, -3), (60, -8)]) == [0, -3, 0])
    // Less ahead than before: first taken for queued fixes, then for another clock.
    #expect(
      spans([(0, -7200), (30, -590), (60, -590), (90, -590), (120, -589)]) == [0, 6610, 6610, 0, 1])
  }

  @Test func `its word stands with the fix, beside what the phone said`() throws {
    var clock = PhoneClock(behind: .hours(2))
    let fix = Fix(
      position: TestPlaces.inside, accuracy: .unstated, measuredAt: start - .hours(2), receivedAt: start)
    let right = clock.putRight([StoredFix(fix, battery: 0.5, detail: #"{"hdop":1.5}"#)])
    #expect(right.first?.detail == #"{"hdop":1.5,"clock_behind_s":7200.0}"#)
    #expect(right.first?.clockBehind == .hours(2))
    #expect(right.first?.battery == 0.5)
    #expect(StoredFix(fix).clockBehind == nil)
  }

  private static func away(_ metres: Double) -> Coordinate {
    Geodesic.destination(from: TestPlaces.inside, azimuth: .degrees(0), distance: .metres(metres))
  }

  @Test(arguments: [-7200.0, -600, 7200])
  func `a phone whose clock is set walks into a zone: it rings`(seconds: Double) async throws {
    try await IngestScene.run { scene in
      let clock = scene.server.clock
      _ = try await scene.phone.ownTracks(Self.away(400))
      clock.pass(.seconds(30))
      _ = try await scene.phone.ownTracks(Self.away(380))
      for metres in [360.0, 320, 280, 240, 200, 160, 120, 60, 30] {
        clock.pass(.seconds(30))
        _ = try await scene.phone.ownTracks(Self.away(metres), at: clock.now + .seconds(seconds))
      }
      let alarms = try await scene.alarms()
      #expect(alarms.map(\.state) == [.ringing])
      // Rang at 60 m, or on the way there.
      #expect((0...61).contains((clock.now - (try #require(alarms.first)).began).seconds))
      let device = try await scene.theDevice()
      #expect(device.lastFix?.position == Self.away(30))
    }
  }

  @Test func `after a restart a wrong clock is known from the last fix`() async throws {
    try await IngestScene.run { scene in
      let clock = scene.server.clock
      func post(_ metres: Double) async throws {
        clock.pass(.seconds(30))
        _ = try await scene.phone.ownTracks(Self.away(metres), at: clock.now - .hours(2))
      }
      for metres in [400.0, 380, 360, 340] { try await post(metres) }
      let device = try await scene.theDevice()
      #expect((clock.now - (try #require(device.lastFix)).measuredAt).seconds < 5)
      await scene.server.parts.alarms.ingest.commits.drop(device.id)
      try await post(330)
      let last = try #require(try await scene.theDevice().lastFix)
      #expect(last.position == Self.away(330))
      #expect((clock.now - last.measuredAt).seconds < 5)
    }
  }

  @Test func `a backlog is judged at its own time, and what it brings rings at that`() async throws {
    try await IngestScene.run { scene in
      let clock = scene.server.clock
      _ = try await scene.phone.ownTracks(Self.away(400))
      let left = clock.now
      clock.pass(.hours(2))
      // The phone walked through the zone an hour ago while offline; the positions are sent one by one.
      for (index, metres) in [200.0, 100, 0, 0, 100, 200, 300, 400].enumerated() {
        clock.pass(.milliseconds(100))
        _ = try await scene.phone.ownTracks(Self.away(metres), at: left + .minutes(60 + Double(index)))
      }
      let alarm = try #require(try await scene.alarms().first)
      #expect((alarm.began - left).seconds > 3600 && (alarm.began - left).seconds < 3800)
      let device = try await scene.theDevice()
      #expect(device.lastFix?.measuredAt == left + .minutes(67))
    }
  }
}
