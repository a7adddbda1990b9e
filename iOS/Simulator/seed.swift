import AlarmEngine
import Foundation
import Geometry
import PhoneHost

// The state of an installation that is armed and has one zone: usage: seed LATITUDE LONGITUDE RADIUS_M > snapshot
// Put where the app keeps its state, it is what a person would have made: nobody taps in a simulator without Xcode's tests.

let numbers = CommandLine.arguments.dropFirst().compactMap(Double.init)
guard numbers.count == 3, numbers[2] > 0,
  let place = try? Coordinate(latitudeDegrees: numbers[0], longitudeDegrees: numbers[1]),
  let zone = try? Zone(
    ZoneDraft(
      id: ZoneID(rawValue: 1), name: "First run", size: .metres(numbers[2]), outline: .locations([place])))
else {
  FileHandle.standardError.write(Data("usage: seed LATITUDE LONGITUDE RADIUS_M > snapshot\n".utf8))
  exit(2)
}
var host = PhoneHost(
  beginning: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [zone], armed: true),
  policy: CertifiedWatch())
let now = Instant(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
for case .replace(let snapshot) in host.handle(.stopped, at: PhoneTime(now: now, uptime: nil)) {
  FileHandle.standardOutput.write(Data(snapshot))
  exit(0)
}
FileHandle.standardError.write(Data("the engine gave no snapshot\n".utf8))
exit(1)
