import AlarmEngine
import Geometry
import PhoneSimulator
import TestSupport
import Testing

@Suite("A phone whose clock is set")
struct SetClockTests {
  private let zone = Zone.valid(
    id: ZoneID(rawValue: 7), name: "there", size: .metres(200),
    outline: .locations([Scene.place(metres: 5000)]))
  /// Seconds from the beginning to the entry.
  private let entry = 600 + 4800 / 10.0

  private func alarms(clockSetBy seconds: Double, at time: Double) -> [Double] {
    let record = TrialRecord(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [zone]))
    let phone = Phone(
      journey: Scene.straight(stand: 600, speed: 10, metres: 9000, motion: .vehicle),
      system: .android(api: 34),
      parameters: .faultless, seed: 2)
    phone.install { TimedWatch($0, host: .timed, record: record, policy: CertifiedWatch()) }
    phone.openApplication()
    phone.leaveApplication()
    phone.at(Scene.start + .seconds(time)) { $0.clockError = .seconds(seconds) }
    phone.run(until: Scene.start + .seconds(1400))
    return record.alarms.map { ($0.raisedAt - Scene.start).seconds - seconds }
  }

  @Test(arguments: [-7200.0, -15, 7200], [300.0, 900, 1060])
  func `an Android phone rings in time, whenever it is set`(by seconds: Double, at time: Double) throws {
    let raised = alarms(clockSetBy: seconds, at: time)
    try #require(raised.count == 1)
    #expect((-5...30).contains(raised[0] - entry), "\(raised[0] - entry) s after the entry")
  }
}
