import PhoneSimulator
import Testing

@Suite("Many comparisons, and visits without a miss")
struct HolmCorrectionTests {
  @Test func `probabilities are raised as Holm says`() {
    // By hand: 0.005 × 4, 0.01 × 3, 0.03 × 2, and 0.04 × 1 raised to the value before it.
    let corrected = holmCorrected([0.01, 0.04, 0.03, 0.005])
    for (found, expected) in zip(corrected, [0.03, 0.06, 0.06, 0.02]) {
      #expect(abs(found - expected) < 1e-15)
    }
  }

  @Test func `nothing goes above one, and one comparison stays what it is`() {
    #expect(holmCorrected([0.9, 0.8]) == [1, 1])
    #expect(holmCorrected([0.04]) == [0.04])
    #expect(holmCorrected([]).isEmpty)
  }

  /// Energy reference, e.5.
  @Test func `so many visits without a miss show a recall`() {
    #expect(ZeroMisses.visits(toShow: 0.99) == 299)
    #expect(ZeroMisses.visits(toShow: 0.99, confidence: 0.975) == 368)
    #expect(ZeroMisses.visits(toShow: 0.995) == 598)
    #expect(ZeroMisses.visits(toShow: 0.999) == 2995)
    #expect(ZeroMisses.recall(shownBy: 299) >= 0.99 && ZeroMisses.recall(shownBy: 298) < 0.99)
    #expect(ZeroMisses.recall(shownBy: 0) == 0)
  }
}
