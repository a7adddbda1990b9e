import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

@Suite("How late an alarm can be, said before it is armed (F2)")
struct LatenessForecastTests {
  private static let parameters = CertifiedParameters()
  private static let radius = 2000.0

  @Test(arguments: Seeds.few(60))
  func `nobody who moves straight at a zone hears of it later than was said`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func one<Value>(of values: [Value]) -> Value { values.randomElement(using: &generator)! }
    let assurance = one(of: [Assurance.safety, .normal, .relaxed])
    let alert = one(of: [0.0, 50, 800])
    let lead = one(of: [nil, TimeSpan.seconds(5), .seconds(40)])
    let zone = AlarmStory.circle(radius: Self.radius) {
      $0.assurance = assurance
      $0.alertDistance = .metres(alert)
      $0.leadTime = lead
    }
    let speed = generator.double(in: 1.4...45)
    let error = 4.0
    // Positions with the greatest gap allowed.
    let every = Self.parameters.sessionFix
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [zone], armed: true)
    // So far away that an approach is known for a minute when the lead time begins.
    var east = -Self.radius - generator.double(in: 8000...9000)
    var rang: Double?
    for number in 0..<2000 where rang == nil && east < Self.radius {
      let now = AlarmStory.start + every * Double(number)
      let fix = Fix(
        position: AlarmStory.place(east: east), accuracy: .radius(.metres(error)), measuredAt: now,
        speed: .metresPerSecond(speed), course: .degrees(90))
      let events = timeline.insert([.fix(fix)]).added + timeline.advance(to: now).added
      if events.contains(where: { if case .alarm = $0.kind { true } else { false } }) { rang = east }
      east += speed * every.seconds
    }
    let heard = try #require(rang) + speed * Self.parameters.handling.seconds
    let promised = try #require(LatenessForecast(zone)).beyondEdge(at: .metresPerSecond(speed)).metres
    // The positions may be wrong too; at its edge the zone asks for better ones before it accepts them.
    #expect(heard + Self.radius <= promised + 3 * error, "\(speed) m/s, \(assurance)")
  }

  @Test func `the alert distance that is proposed lets the alarm come before the edge`() throws {
    let speed = Speed.metresPerSecond(39)
    let bare = try #require(LatenessForecast(AlarmStory.circle()))
    #expect(bare.beyondEdge(at: speed).metres == 39 * bare.late.seconds)
    let warned = try #require(
      LatenessForecast(AlarmStory.circle { $0.alertDistance = bare.alertDistance(for: speed) }))
    #expect(abs(warned.beyondEdge(at: speed).metres) < 1e-9)
  }

  @Test func `a stay and a way out are not foreseen`() {
    #expect(LatenessForecast(AlarmStory.circle { $0.trigger = .dwell(.seconds(60)) }) == nil)
    #expect(LatenessForecast(AlarmStory.circle { $0.trigger = .leave() }) == nil)
  }
}
