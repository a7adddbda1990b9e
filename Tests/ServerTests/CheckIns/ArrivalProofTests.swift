import AlarmEngine
import Geometry
import Store
import TestSupport
import Testing

@testable import AlarmService

@Suite("Proofs of an arrival")
struct ArrivalProofTests {
  private static let due = Instant(millisecondsSince1970: 1_795_000_000_000)

  private static func proof(
    window: Double = 60, _ change: (inout ZoneDraft) -> Void = { _ in }
  ) throws -> ArrivalProof {
    var draft = ZoneDraft(
      id: ZoneID(rawValue: 1), name: "School", size: .metres(100), outline: .locations([TestPlaces.inside]))
    change(&draft)
    let expected = ExpectedArrival(
      account: .random(), zone: draft.id, device: DeviceID(rawValue: 3),
      time: try #require(ExpectedArrival.Time(minute: 480, days: .everyDay, timeZone: "UTC")),
      window: .minutes(window), createdAt: due, nextDue: due)
    return ArrivalProof(expected, due: due, at: try Zone(draft), .phone)
  }

  /// - Parameter minutes: after the due time.
  private static func fix(
    _ minutes: Double, _ place: Coordinate = TestPlaces.inside, error: Double? = 12, altitude: Double? = nil
  ) -> Fix {
    Fix(
      position: place, accuracy: error.map { .radius(.metres($0)) } ?? .unstated,
      measuredAt: due + .minutes(minutes))
  }

  /// North of the zone's centre.
  private static func away(_ metres: Double) -> Coordinate {
    Coordinate(latitude: .degrees(46.051 + metres / 111_170), longitude: .degrees(14.505))
  }

  private static func at(_ fixes: [Fix], window: Double = 60) throws -> Double? {
    try proof(window: window).arrival(fixes).map { ($0.measuredAt - due).seconds / 60 }
  }

  @Test func `silence and places elsewhere show no arrival`() throws {
    #expect(try Self.at([]) == nil)
    #expect(try Self.at([Self.fix(-5, TestPlaces.outside), Self.fix(5, TestPlaces.outside)]) == nil)
  }

  @Test func `being there in the window counts, before it only as the newest position`() throws {
    #expect(try Self.at([Self.fix(-60), Self.fix(-5, TestPlaces.outside)]) == -60)
    #expect(try Self.at([Self.fix(-61), Self.fix(-5, TestPlaces.outside)]) == nil)
    #expect(try Self.at([Self.fix(-61)]) == -61)
    #expect(try Self.at([Self.fix(-61), Self.fix(-90, TestPlaces.outside)], window: 0) == -61)
    #expect(try Self.at([Self.fix(0), Self.fix(-1, TestPlaces.outside)], window: 0) == 0)
    // Half a day is the oldest that shows that a phone is still there.
    #expect(try Self.at([Self.fix(-720)]) == -720)
    #expect(try Self.at([Self.fix(-721)]) == nil)
  }

  @Test func `a later arrival counts, and the earliest proof is told`() throws {
    #expect(try Self.at([Self.fix(-30, TestPlaces.outside), Self.fix(12), Self.fix(20)]) == 12)
    #expect(try Self.at([Self.fix(12), Self.fix(-10)]) == -10)
  }

  @Test func `the shape counts with its inset, and not the distance of its alarm`() throws {
    #expect(try Self.at([Self.fix(-5, Self.away(95))]) == -5)
    #expect(try Self.at([Self.fix(-5, Self.away(105))]) == nil)
    let grown = try Self.proof { $0.inset = .metres(-50) }
    #expect(grown.arrival([Self.fix(-5, Self.away(140))]) != nil)
    let shrunk = try Self.proof { $0.inset = .metres(50) }
    #expect(shrunk.arrival([Self.fix(-5, Self.away(95))]) == nil)
    let early = try Self.proof { $0.alertDistance = .metres(500) }
    #expect(early.arrival([Self.fix(-5, Self.away(300))]) == nil)
    // A zone that is switched off rings nothing, but is still a place.
    let off = try Self.proof { $0.active = false }
    #expect(off.arrival([Self.fix(-5)]) != nil)
  }

  @Test func `a position that may be wrong by more than the zone shows nothing`() throws {
    #expect(try Self.at([Self.fix(-5, error: 100)]) == -5)
    #expect(try Self.at([Self.fix(-5, error: 101)]) == nil)
    #expect(try Self.at([Self.fix(-5, error: nil)]) == -5)
    let wide = try Self.proof { $0.size = .metres(2000) }
    #expect(wide.arrival([Self.fix(-5, error: 1900)]) != nil)
  }

  @Test func `an outlier shows nothing`() throws {
    let far = Coordinate(latitude: .degrees(47.5), longitude: .degrees(14.505))
    let fixes = [Self.fix(-30, far), Self.fix(-20), Self.fix(-19, far), Self.fix(-10, far)]
    // 160 km in ten minutes there and in one minute back.
    #expect(try Self.at(fixes) == nil)
  }

  @Test func `the order in which positions come does not matter`() throws {
    var random = SeededGenerator(seed: 5)
    let places = [TestPlaces.inside, TestPlaces.outside, Self.away(90), Self.away(110)]
    for _ in 0..<300 {
      let fixes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Self.fix(
          Double(Int.random(in: -900...60, using: &random)),
          places.randomElement(using: &random) ?? places[0],
          error: [5, 60, 400].randomElement(using: &random))
      }
      let window = [0, 30, 720].randomElement(using: &random) ?? 0
      let found = try Self.at(fixes, window: Double(window))
      #expect(try Self.at(fixes.shuffled(using: &random), window: Double(window)) == found)
      // Nothing but a position inside shows an arrival.
      if fixes.allSatisfy({ $0.position == TestPlaces.outside || $0.position == Self.away(110) }) {
        #expect(found == nil)
      }
    }
  }
}
