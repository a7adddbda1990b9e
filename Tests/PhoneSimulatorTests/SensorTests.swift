import AlarmEngine
import Geometry
import Testing

@testable import PhoneSimulator

@Suite("What satellites say, in time")
struct SensorTests {
  private static let day = 86_400

  /// Stated accuracies and true errors of a fix each second for a day.
  private func fixes(
    _ surroundings: Journey.Surroundings = .outdoors, _ parameters: PhoneParameters = .measured2019
  ) -> [(stated: Double, error: Double)] {
    let journey = Road.drive(.stand(.hours(24), surroundings))
    let sensors = Sensors(journey: journey, parameters: parameters, seed: 5)
    return (0..<Self.day).map { second in
      let fix = sensors.satelliteFix(at: Road.at(Double(second)))
      return (fix.accuracy, fix.position.distance(to: Road.origin).metres)
    }
  }

  @Test func `the shares of stated accuracies are those measured`() {
    let stated = fixes().map(\.stated)
    func share(_ metres: Double) -> Double { Double(stated.count { $0 == metres }) / Double(stated.count) }
    #expect(abs(share(5) - 0.27) < 0.05)
    #expect(abs(share(10) - 0.681) < 0.05)
    #expect(abs(share(30) - 0.034) < 0.015)
    #expect(abs(share(50) - 0.015) < 0.01)
  }

  /// Measured on MobilityNet's iPhones, 13,376 pairs of fixes one second apart: 0.64 % and 87 %. Independent
  /// seconds would give 4.9 % and 4.9 %.
  @Test func `a phone stays at one stated accuracy for a while`() {
    let stated = fixes().map(\.stated)
    let pairs = zip(stated, stated.dropFirst())
    let fine = pairs.filter { $0.0 == 10 }
    let coarse = pairs.filter { $0.0 >= 30 }
    let worse = Double(fine.count { $0.1 >= 30 }) / Double(fine.count)
    let stays = Double(coarse.count { $0.1 >= 30 }) / Double(coarse.count)
    #expect((0.003...0.010).contains(worse), "\(worse)")
    #expect((0.80...0.93).contains(stays), "\(stays)")
  }

  @Test func `between high houses the stated accuracy grows with the error, as measured on a city bus`() {
    func within(_ fixes: [(stated: Double, error: Double)]) -> Double {
      Double(fixes.count { $0.error <= $0.stated }) / Double(fixes.count)
    }
    // 63 % on the bus; 10 % if the phone went on to state 10 m.
    let inCity = within(fixes(.urbanCanyon))
    #expect((0.5...0.7).contains(inCity), "\(inCity)")
    let outdoors = within(fixes())
    #expect((0.7...0.85).contains(outdoors), "\(outdoors)")
  }

  @Test func `shares of nothing and of all are kept`() {
    let never = PhoneParameters.measured2019.with {
      $0.accuracyShare5 = 0
      $0.accuracyShare30 = 0
      $0.accuracyShare50 = 0
    }
    #expect(Set(fixes(.outdoors, never).map(\.stated)) == [10])
    let always = PhoneParameters.measured2019.with { $0.accuracyShare5 = 1 }
    #expect(Set(fixes(.outdoors, always).map(\.stated)) == [5])
  }
}
