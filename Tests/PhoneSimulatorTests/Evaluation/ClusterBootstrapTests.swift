import PhoneSimulator
import Testing

@Suite("Intervals by drawing clusters anew")
struct ClusterBootstrapTests {
  private typealias Tally = ClusterBootstrap.Tally
  private static func tallies(_ parts: [Double], of wholes: [Double]) -> [Tally] {
    zip(parts, wholes).map { Tally(part: $0, whole: $1) }
  }
  private static let visits: [Double] = [10, 8, 10, 6, 9, 8, 10, 5, 9, 7, 9, 8]
  private static let good = tallies([9, 7, 10, 4, 8, 6, 10, 3, 9, 5, 7, 8], of: visits)
  private static let bad = tallies([7, 7, 8, 3, 8, 4, 9, 3, 6, 5, 5, 7], of: visits)

  @Test func `the same seed gives the same interval, another one another`() {
    let first = ClusterBootstrap(draws: 500, seed: 4).interval(of: Self.good)
    #expect(first == ClusterBootstrap(draws: 500, seed: 4).interval(of: Self.good))
    #expect(first != ClusterBootstrap(draws: 500, seed: 5).interval(of: Self.good))
  }

  /// The expected interval ends and differences come from 400,000 draws with Python's generator.
  @Test func `a share of sums has the interval that another generator finds`() throws {
    let interval = try #require(ClusterBootstrap().interval(of: Self.good))
    #expect(abs(interval.lowerBound - 0.7935) < 0.005, "\(interval)")
    #expect(abs(interval.upperBound - 0.9333) < 0.005, "\(interval)")
  }

  @Test func `pairs are drawn together, so that what persons share drops out`() throws {
    let found = try #require(ClusterBootstrap().difference(Self.good, Self.bad))
    #expect(abs(found.value - 14.0 / 99) < 1e-12)
    #expect(abs(found.interval.lowerBound - 0.0787) < 0.005, "\(found)")
    #expect(abs(found.interval.upperBound - 0.2019) < 0.005, "\(found)")
    #expect(abs(found.probability - 1.0 / 2048) < 1e-12)
  }

  @Test func `few clusters prove little, however far they lie apart`() throws {
    func probability(_ count: Int) throws -> Double {
      let high = [Tally](repeating: Tally(part: 9, whole: 10), count: count)
      let low = [Tally](repeating: Tally(part: 1, whole: 10), count: count)
      return try #require(ClusterBootstrap(draws: 1000).difference(high, low)).probability
    }
    #expect(try probability(2) == 0.5)
    #expect(try probability(5) == 1.0 / 16)
    #expect(try probability(20) == 2.0 / 1001)
  }

  @Test func `a difference that chance explains is not called one`() throws {
    let ones = [Double](repeating: 1, count: 10)
    let first = Self.tallies([100, 120, 90, 150, 80, 200, 110, 95, 130, 105], of: ones)
    let second = Self.tallies([110, 100, 120, 140, 95, 190, 100, 120, 125, 130], of: ones)
    let found = try #require(ClusterBootstrap().difference(first, second))
    #expect(abs(found.value + 5) < 1e-9)
    #expect(abs(found.interval.lowerBound + 15.5) < 0.5 && abs(found.interval.upperBound - 5.5) < 0.5)
    #expect(abs(found.probability - 0.39) < 0.03, "\(found.probability)")
  }

  @Test func `the same on both sides differs by nothing, for certain`() throws {
    let found = try #require(ClusterBootstrap(draws: 200).difference(Self.good, Self.good))
    #expect(found.value == 0 && found.interval == 0...0 && found.probability == 1)
  }

  @Test func `one cluster, none, and no visit have no interval`() {
    #expect(ClusterBootstrap().interval(of: []) == nil)
    #expect(ClusterBootstrap().interval(of: [Tally(part: 1, whole: 2)]) == nil)
    let nothing = [Tally](repeating: Tally(part: 0, whole: 0), count: 3)
    #expect(ClusterBootstrap(draws: 50).interval(of: nothing) == nil)
    #expect(ClusterBootstrap(draws: 50).difference(nothing, nothing) == nil)
  }
}
