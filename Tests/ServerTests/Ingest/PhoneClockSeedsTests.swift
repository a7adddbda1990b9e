import AlarmEngine
import Foundation
import Geometry
import Store
import TestSupport
import Testing

@testable import AlarmService

/// Phones with right and wrong clocks, live and with queues. All times are seconds.
@Suite("A phone's clock, over seeds")
struct PhoneClockSeedsTests {
  private static let start = Instant(millisecondsSince1970: 1_790_000_000_000)
  private static let rollover = 1024.0 * 7 * 86_400

  /// One position: its true time of measurement, and its time of arrival.
  private typealias Post = (measured: Double, received: Double)

  /// The error of each stored time, in seconds; positive if too late.
  /// - Parameter offset: how far the phone's clock is behind at a time.
  private static func errors(
    of posts: [Post], _ clock: inout PhoneClock, offset: (Double) -> Double = { _ in 0 }
  ) -> [Double] {
    posts.map { post in
      let fix = Fix(
        position: TestPlaces.inside, accuracy: .radius(.metres(12)),
        measuredAt: start + .seconds(post.measured - offset(post.measured)),
        receivedAt: start + .seconds(post.received))
      let right = clock.putRight([StoredFix(fix)])
      return (right[0].fix.measuredAt - start).seconds - post.measured
    }
  }

  private static func live(
    from begin: Double, to end: Double, every: Double, latency: Double, _ random: inout SeededGenerator
  ) -> [Post] {
    var posts: [Post] = []
    var time = begin
    while time < end {
      posts.append((time, time + random.double(in: 0...latency)))
      time += every * random.double(in: 0.9...1.1)
    }
    return posts
  }

  /// A silence of up to ten minutes may be mistaken for the phone's usual interval, if its posts were
  /// irregular before.
  @Test(arguments: Seeds.few(100))
  func `positions of a right phone are not moved, or by the ten minutes of a short silence at most`(seed: Int)
  {
    var random = SeededGenerator(seed: UInt64(seed))
    var clock = PhoneClock()
    let every = random.double(in: 1...60)
    var posts = Self.live(from: 0, to: random.double(in: 60...3000), every: every, latency: 30, &random)
    var now = posts.last?.received ?? 0
    for _ in 0..<4 {
      // Offline for a while; then the queue, one position a post.
      let silence = pow(10, random.double(in: (seed % 2 == 0 ? log10(600.0 + 2 * every) : 2.2)...4.5))
      var kept: [Double] = []
      var time = now + every
      while time < now + silence, kept.count < 500 {
        kept.append(time)
        time += every
      }
      now += silence
      switch Int.random(in: 0...3, using: &random) {
      case 0: break
      case 1: kept.reverse()
      case 2:
        posts.append((now, now + 0.5))
        now += 0.6
      default: kept.shuffle(using: &random)
      }
      // Faster, slower, or exactly at the rate of measurement.
      let pace = Int.random(in: 0...2, using: &random)
      for time in kept {
        posts.append((time, now))
        now += [random.double(in: 0.05...2), random.double(in: 1...60), every][pace]
      }
      posts += Self.live(from: now, to: now + random.double(in: 0...1500), every: every, latency: 30, &random)
      now = posts.last?.received ?? now
    }
    for (post, error) in zip(posts, Self.errors(of: posts, &clock)) {
      #expect(error > -0.002 && error < (seed % 2 == 0 ? 0.002 : 600), "seed \(seed): \(post)")
    }
  }

  @Test(arguments: Seeds.few(100))
  func `a wrong phone is corrected within three posts or a minute, to five seconds`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var clock = PhoneClock()
    let every = random.double(in: 1...60)
    let latency = random.double(in: 0...4)
    let before = random.double(in: -1000...3000)
    let offsets: [Double] = [
      random.double(in: 120...3600), random.double(in: 3600...86_400), Self.rollover, 2 * Self.rollover,
      -random.double(in: 30...86_400),
    ]
    let offset = offsets[seed % offsets.count]
    let right = Self.live(from: 0, to: max(0, before), every: every, latency: latency, &random)
    #expect(Self.errors(of: right, &clock).allSatisfy { abs($0) < 0.002 })
    let begin = max(0, before) + 10
    let wrong = Self.live(from: begin, to: begin + 1000, every: every, latency: latency, &random)
    let errors = Self.errors(of: wrong, &clock) { _ in offset }
    let isSlow = offset > 0 && offset < Self.rollover
    let needed =
      isSlow ? max(latency <= 2 ? 3 : 6, 2 + Int(((60 + latency) / (0.9 * every)).rounded(.up))) : 1
    for (index, error) in errors.enumerated() {
      if index + 1 >= needed {
        #expect(abs(error) <= 5.002, "seed \(seed), post \(index + 1) of every \(every) s")
      } else {
        #expect(abs(error) <= abs(offset) + 5.002, "seed \(seed)")
      }
    }
    // The clock is right again: accepted at once.
    let again = Self.live(from: begin + 1100, to: begin + 1500, every: every, latency: latency, &random)
    #expect(Self.errors(of: again, &clock).allSatisfy { abs($0) < 5.002 }, "seed \(seed)")
  }

  @Test(arguments: Seeds.few(50))
  func `after a silence no time is wrong by more than it lasted`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let every = random.double(in: 1...60)
    let silence = random.double(in: 700...20_000)
    let contact = Self.live(from: 0, to: 1800, every: every, latency: 1, &random)
    let resumed = (contact.last?.received ?? 0) + silence
    // A clock that was set back during the silence, by less than its length.
    let offset = random.double(in: 120...silence)
    var clock = PhoneClock()
    _ = Self.errors(of: contact, &clock)
    let wrong = Self.live(from: resumed, to: resumed + offset + 600, every: every, latency: 1, &random)
    for (post, error) in zip(wrong, Self.errors(of: wrong, &clock, offset: { _ in offset })) {
      let known = resumed + offset + 2.5 * max(every, 20) + 60
      #expect(abs(error) <= (post.measured > known ? 5.002 : silence + 1), "seed \(seed)")
    }
    // A correct phone whose queue never gets shorter: each post is as old as the silence was long.
    clock = PhoneClock()
    _ = Self.errors(of: contact, &clock)
    let slow = (0..<600).map { (resumed - silence + Double($0) * every, resumed + Double($0) * every) }
    for error in Self.errors(of: slow, &clock) {
      #expect(error >= -0.002 && error <= silence + 1, "seed \(seed)")
    }
  }

  @Test func `time for which the server kept a phone waiting is no evidence`() {
    func moved(_ wait: Double, awake: Double? = nil, late: Double = 0) -> [Bool] {
      var clock = PhoneClock()
      return (0..<3).map { index in
        let received = Self.start + .seconds(Double(index) * 30)
        let fix = StoredFix(
          Fix(
            position: TestPlaces.inside, accuracy: .unstated, measuredAt: received - .hours(3),
            receivedAt: received))
        let right = clock.putRight(
          [fix], at: received + .seconds(late),
          awake: index == 2 ? awake.map { Self.start + .seconds($0) } ?? Self.start : Self.start)
        clock.saved(at: received + .seconds(index == 1 ? wait : 0.1))
        return right != [fix]
      }
    }
    #expect(moved(0.1) == [false, false, true])
    #expect(moved(29) == [false, false, false])
    #expect(moved(0.1, awake: 45) == [false, false, false])
    #expect(moved(0.1, late: 8) == [false, false, false])
  }

  @Test func `a history of twenty years is not taken for lost weeks`() {
    var clock = PhoneClock()
    let posts = (0..<200).map { (-Self.rollover - 86_400 * 50 + Double($0) * 43_200, Double($0)) }
    #expect(Self.errors(of: posts, &clock).allSatisfy { abs($0) < 0.002 })
    // The same as one batch.
    let batch = posts.map { post in
      StoredFix(
        Fix(
          position: TestPlaces.inside, accuracy: .unstated, measuredAt: Self.start + .seconds(post.0),
          receivedAt: Self.start))
    }
    clock = PhoneClock()
    #expect(clock.putRight(batch) == batch)
  }

  @Test func `lost weeks are told with the position, and survive a restart`() throws {
    var clock = PhoneClock()
    let fix = Fix(
      position: TestPlaces.inside, accuracy: .unstated,
      measuredAt: Self.start - .seconds(Self.rollover + 7200),
      receivedAt: Self.start)
    let kept = try #require(clock.putRight([StoredFix(fix)]).first)
    #expect(kept.clockBehind == .seconds(Self.rollover))
    #expect(kept.fix.measuredAt == Self.start - .seconds(7200))
    #expect(clock.error == .seconds(Self.rollover) && clock.behind == .zero)
    var restored = PhoneClock()
    restored.restore(behind: .seconds(Self.rollover + 600), last: kept.fix)
    #expect(restored.behind == .seconds(600) && restored.error == .seconds(Self.rollover + 600))
  }
}
