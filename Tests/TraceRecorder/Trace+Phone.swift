import AlarmEngine
import Foundation
import PAD
import PhoneHost
import TestSupport

extension Trace {
  /// Writes `phone-snapshot`, `phone-inputs` and the native host's answers, `phone-answers`, for
  /// `Android/Checks/replay.c`, which gives the same inputs to the application's library. Each input follows
  /// its length in 32 bits; the first answer is the one to the snapshot.
  func recordPhone(in folder: URL, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: .phone, zones: PADReader.read(pad).zones, armed: true)
    var host = PhoneHost(beginning: timeline, policy: CertifiedWatch(), requests: .answeredOnce)
    var now = fixes.first?.receivedAt ?? Instant(millisecondsSince1970: 1_700_000_000_000)
    var snapshot: [UInt8] = []
    for command in host.handle(
      .started(.person, .timed, lastKnown: nil), at: PhoneTime(now: now, uptime: nil))
    {
      if case .replace(let bytes) = command { snapshot = bytes }
    }
    var isDamaged = false
    var phone = PhoneBytes(
      snapshot: snapshot, journal: [], device: DeviceID(rawValue: 1), isDamaged: &isDamaged)
    precondition(!isDamaged, "what a host wrote can be read")

    let booted = now.millisecondsSince1970 - 3_600_000
    var inputs: [UInt8] = []
    var answers = [0] + phone.takeCommands()
    func tell(_ kind: UInt8, _ fields: [UInt8] = []) {
      let input =
        bigEndian(now.millisecondsSince1970) + bigEndian(now.millisecondsSince1970 - booted) + [kind] + fields
      inputs += bigEndian(Int32(input.count)) + input
      answers += phone.handle(input)
    }
    tell(1, [1] + capabilities(battery: 0) + [0])
    for fix in fixes {
      now = max(now, fix.receivedAt)
      tell(3, [UInt8.random(in: 0...1, using: &generator)] + bigEndian(Int32(1)) + bytes(fix))
      switch Int.random(in: 0..<30, using: &generator) {
      case 0:
        let since = now.millisecondsSince1970 - Int64.random(in: 0...60_000, using: &generator)
        let isStated = Bool.random(using: &generator)
        tell(7, [UInt8.random(in: 0...5, using: &generator)] + bigEndian(isStated ? since : -1))
        tell(19, [UInt8.random(in: 0...2, using: &generator)])
        tell(20, bigEndian(Double(Int.random(in: 0...100, using: &generator)) / 100) + [isStated ? 1 : 0])
      case 1: tell(9, capabilities(battery: UInt8.random(in: 0...2, using: &generator)))
      case 2: tell(10)
      case 3: tell(4)
      case 4: tell(14, bigEndian(Int64.random(in: 1...20, using: &generator)))
      case 5:
        tell(
          5,
          bigEndian(Int64.random(in: 0...9, using: &generator)) + [UInt8.random(in: 0...5, using: &generator)]
        )
      case 6...8:
        now = now + .seconds(Double(Int.random(in: 1...200, using: &generator)))
        tell(8)
      case 9...10:
        // A person closes, or puts to sleep, the last alarm.
        if let alarm = lastAlarm(phone.host.timeline.events) {
          let kind = UInt8.random(in: 2...3, using: &generator)
          tell(
            13, [kind] + bigEndian(Int64(bitPattern: alarm.rawValue)) + bigEndian(now.millisecondsSince1970))
        }
      default: break
      }
    }
    now = now + .minutes(10)
    tell(8)
    tell(2)
    precondition(
      name != "walk" || lastAlarm(phone.host.timeline.events) != nil, "something rings on the walk")
    for (bytes, name) in [(snapshot, "snapshot"), (inputs, "inputs"), (answers, "answers")] {
      try Data(bytes).write(to: folder.appendingPathComponent("phone-" + name))
    }
  }

  private func lastAlarm(_ events: [Event]) -> AlarmID? {
    for event in events.reversed() {
      if case .alarm(let report) = event.kind { return report.alarm }
    }
    return nil
  }

  /// The capabilities of an Android phone: timed, with everything granted but the services that only an
  /// iPhone has.
  private func capabilities(battery: UInt8) -> [UInt8] {
    [1, 0b1001_1111, battery] + bigEndian(Int32(100)) + bigEndian(50_000.0) + bigEndian(Int64(0))
  }

  private func bytes(_ fix: Fix) -> [UInt8] {
    var accuracy = -1.0
    if case .radius(let radius) = fix.accuracy { accuracy = radius.metres }
    return bigEndian(fix.position.latitude.degrees) + bigEndian(fix.position.longitude.degrees)
      + bigEndian(accuracy)
      + bigEndian(fix.measuredAt.millisecondsSince1970) + bigEndian(fix.receivedAt.millisecondsSince1970)
      + bigEndian(fix.speed?.metresPerSecond ?? -1) + bigEndian(fix.course?.degrees ?? -1) + altitude(fix)
  }

  private func altitude(_ fix: Fix) -> [UInt8] {
    guard let altitude = fix.altitude else { return [0] + bigEndian(0.0) + bigEndian(0.0) }
    let flags: UInt8 = 1 | (altitude.error == nil ? 0 : 2) | (altitude.reference == .seaLevel ? 4 : 0)
    return [flags] + bigEndian(altitude.height.metres) + bigEndian(altitude.error?.metres ?? 0)
  }

  private func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }
  private func bigEndian(_ number: Double) -> [UInt8] { bigEndian(number.bitPattern) }
}
