import AlarmEngine
import Testing

@Suite("Instants and time spans")
struct InstantTests {
  private let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

  @Test func `sums and differences end where 64 bits do`() {
    func exact(_ a: Int64, _ b: Int64) -> Int64 {
      // The sum in 128 bits, clamped to 64; 80-bit doubles would be exact too.
      let sum = Int128(a) + Int128(b)
      return Int64(clamping: sum)
    }
    for a in ends {
      for b in ends {
        let (instant, span) = (Instant(millisecondsSince1970: a), TimeSpan.milliseconds(b))
        let minus = Int64(clamping: Int128(a) - Int128(b))
        #expect((instant + span).millisecondsSince1970 == exact(a, b))
        #expect((instant - span).millisecondsSince1970 == minus)
        #expect((instant - Instant(millisecondsSince1970: b)).milliseconds == minus)
        #expect((TimeSpan.milliseconds(a) + span).milliseconds == exact(a, b))
        #expect((TimeSpan.milliseconds(a) - span).milliseconds == minus)
      }
    }
  }

  @Test func `seconds beyond what a time span can say are as long as it can`() {
    #expect(TimeSpan.seconds(1.5).milliseconds == 1500)
    #expect(TimeSpan.seconds(-0.0004).milliseconds == 0)
    #expect(TimeSpan.seconds(1e300) == .seconds(1e15))
    #expect(TimeSpan.hours(-.infinity) == .seconds(-1e15))
  }
}
