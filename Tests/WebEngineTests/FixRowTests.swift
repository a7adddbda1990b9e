import AlarmEngine
import Geometry
import TestSupport
import Testing
import WebEngine

@Suite("Fix rows")
struct FixRowTests {
  private let good = [48.1, 11.5, 5, 1_000, 2_000, 1.5, 90.0, 440, 3, 0]

  private func refusal(_ row: [Double]) -> FixRow.Refusal? {
    do throws(FixRow.Refusal) {
      _ = try FixRow.fix(row[...])
      return nil
    } catch { return error }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a fix becomes numbers and the same fix again`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let fix = generator.fix()
    #expect(try FixRow.fix(FixRow.numbers(fix)[...]) == fix, "seed \(seed)")
  }

  @Test func `no accuracy, no speed and no course are said by NaN`() throws {
    var row = good
    row[2] = .nan
    row[5] = .nan
    row[6] = .nan
    let fix = try FixRow.fix(row[...])
    #expect(fix.accuracy == .unstated)
    #expect(fix.speed == nil)
    #expect(fix.course == nil)
  }

  @Test func `a negative speed or course is one that the phone does not know`() throws {
    var row = good
    row[5] = -1
    row[6] = -1
    let fix = try FixRow.fix(row[...])
    #expect(fix.speed == nil)
    #expect(fix.course == nil)
  }

  @Test func `a height that is none, or that a phone means as none, leaves a fix without one`() throws {
    #expect(try FixRow.fix(good[...]).altitude == Altitude(metres: 440, error: 3, reference: .seaLevel))
    let cases: [(row: [Double], altitude: Altitude?)] = [
      ([440, .nan, 0], Altitude(metres: 440, reference: .seaLevel)),
      ([440, 3, 1], Altitude(metres: 440, error: 3, reference: .unknown)),
      ([440, 3, .nan], Altitude(metres: 440, error: 3, reference: .unknown)),
      ([0, 5, 1], Altitude(metres: 0, error: 5, reference: .unknown)),
      ([.nan, .nan, .nan], nil), ([.nan, 3, 0], nil), ([440, -1, 0], nil), ([440, .infinity, 0], nil),
      ([0, .nan, 1], nil), ([0, 0, 1], nil), ([1e9, 3, 0], nil), ([-.infinity, 3, 0], nil),
    ]
    for (row, altitude) in cases {
      #expect(try FixRow.fix((good.prefix(7) + row)[...]).altitude == altitude, "\(row)")
    }
  }

  @Test func `a number that cannot be is refused by name`() {
    let cases: [(place: Int, value: Double, refusal: FixRow.Refusal?)] = [
      (0, 90, nil), (0, 90.1, .latitude), (0, .nan, .latitude), (1, -360, nil), (1, 361, .longitude),
      (1, .infinity, .longitude), (2, -1, nil), (2, .infinity, .accuracy), (3, .nan, .measuredAt),
      (3, 1e18, .measuredAt), (3, -.infinity, .measuredAt), (4, .nan, .receivedAt), (4, -1e300, .receivedAt),
      (5, .infinity, nil), (6, -.infinity, nil),
    ]
    for (place, value, expected) in cases {
      var row = good
      row[place] = value
      #expect(refusal(row) == expected, "\(value) at \(place)")
    }
  }
}
