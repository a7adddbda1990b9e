import AlarmEngine
import Geometry
import PhoneHost
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("What the platforms have computed")
struct RulesTests {
  @Test func `a sound lasts half the time between two repeats, within bounds`() {
    #expect(SoundPlan.length(since: nil, untilClosed: false) == .seconds(5))
    for (since, length) in [(0.0, 2.5), (4, 2.5), (10, 5), (29.998, 14.999), (600, 15)] {
      #expect(SoundPlan.length(since: .seconds(since), untilClosed: false) == .seconds(length), "\(since)")
      #expect(SoundPlan.length(since: .seconds(since), untilClosed: true) == .seconds(600), "\(since)")
    }
  }

  /// Compared with the C library's power function.
  @Test func `it rises from a tenth to full by the same factor in the same time`() {
    for milliseconds in stride(from: Int64(-100), through: 20_200, by: 50) {
      let part = min(max(Double(milliseconds) / 20_000, 0), 1)
      let exact = 1_000_000 * pow(0.1, 1 - part)
      let loudness = SoundPlan.loudness(since: .milliseconds(milliseconds))
      #expect(abs(Double(loudness) - exact) <= 0.5001, "\(milliseconds) ms")
    }
    #expect(SoundPlan.loudness(since: .zero) == 100_000)
    #expect(SoundPlan.loudness(since: .seconds(19.999)) < 1_000_000)
    #expect(SoundPlan.loudness(since: .seconds(20)) == 1_000_000)
    #expect(SoundPlan.loudness(since: .milliseconds(.max)) == 1_000_000)
  }

  @Test func `a status is success, trouble or refusal`() {
    for status in [200, 204, 299] { #expect(ReportOutcome(status: status) == .sent, "\(status)") }
    for status in [-1, 0, 408, 429, 500, 503, 599] {
      #expect(ReportOutcome(status: status) == .failed, "\(status)")
    }
    for status in [100, 301, 302, 307, 400, 401, 403, 404, 413, 422] {
      #expect(ReportOutcome(status: status) == .refused, "\(status)")
    }
  }
}
