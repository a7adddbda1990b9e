import AlarmEngine
import Foundation
import Geometry
import PhoneHost

// Writes the state of an armed installation with one zone. Usage: seed LATITUDE LONGITUDE RADIUS_M > snapshot
// In the app's data folder it replaces a person's input, since without Xcode's tests a simulator cannot be
// tapped.

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
