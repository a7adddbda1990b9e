import AlarmEngine
import TestSupport
import Testing

@testable import Delivery
@testable import Server

@Suite("Retry schedule")
struct RetryScheduleTests {
  private let schedule = RetrySchedule(base: .seconds(2), longest: .minutes(5), horizon: .hours(24))

  @Test(arguments: Seeds.few(20))
  func `waits grow, stay within their bound and are the same from the same seed`(seed: Int) throws {
    for failures in 1...60 {
      let at = try #require(
        schedule.next(after: failures, first: someTime, now: someTime, seed: UInt64(seed)), "seed \(seed)")
      let bound = failures > 8 ? 300 : min(300, 2 * Double(1 << (failures - 1)))
      #expect(at > someTime && at <= someTime + .seconds(bound), "seed \(seed), \(failures) failures")
      #expect(at == schedule.next(after: failures, first: someTime, now: someTime, seed: UInt64(seed)))
    }
  }

  @Test func `the jitter is full: draws fill the whole of the wait`() {
    let waits = (0..<2000).compactMap {
      schedule.next(after: 6, first: someTime, now: someTime, seed: UInt64($0)).map {
        ($0 - someTime).seconds
      }
    }
    let mean = waits.reduce(0, +) / 2000
    // Uniform on 0...64 s: mean 32, standard error 0.41.
    #expect(abs(mean - 32) < 2 && waits.min()! < 1 && waits.max()! > 63, "mean \(mean)")
  }

  @Test func `what the other side asks for is waited, up to the longest wait`() throws {
    for (asked, least) in [(30.0, 30.0), (100_000, 300)] {
      let at = try #require(
        schedule.next(after: 1, first: someTime, now: someTime, asked: .seconds(asked), seed: 1))
      #expect(at - someTime == .seconds(least))
    }
  }

  @Test func `after the horizon it is given up`() {
    let late = someTime + .hours(24)
    #expect(schedule.next(after: 500, first: someTime, now: late, seed: 1) == nil)
    #expect(schedule.next(after: 1, first: someTime, now: late - .seconds(3), seed: 1) != nil)
  }
}
