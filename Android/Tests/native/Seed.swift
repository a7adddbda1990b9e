import AlarmEngine
import Geometry
import PhoneHost

// Beside the engine's own native functions, for tests: an installation with zones, as a page would have made it.

/// `static native byte[] snapshot(byte[] zones)` of `app.proximity.Seed`: the first snapshot of an armed installation.
///
/// A zone is a circle: its id in 64 bits, latitude, longitude and radius as doubles, its assurance in 8 bits.
@_cdecl("Java_app_proximity_Seed_snapshot")
public func seedSnapshot(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer, _ zones: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  let call = JavaCall(environment, type)
  guard let bytes = call.bytes(zones, atMost: 1 << 20) else { return nil }
  let length = 33
  let made = stride(from: 0, to: bytes.count - length + 1, by: length).map { zone(bytes[$0..<$0 + length]) }
  let timeline = Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: made, armed: true)
  var host = PhoneHost(beginning: timeline, policy: CertifiedWatch(), requests: .answeredOnce)
  let time = PhoneTime(now: Instant(millisecondsSince1970: 0), uptime: nil)
  for case .replace(let snapshot) in host.handle(.stopped, at: time) {
    return call.array(snapshot)
  }
  call.refuse("the first answer holds no snapshot")
  return nil
}

private func zone(_ bytes: ArraySlice<UInt8>) -> Zone {
  let start = bytes.startIndex
  func word(_ at: Int) -> UInt64 { bytes[start + at..<start + at + 8].reduce(0) { $0 << 8 | UInt64($1) } }
  func number(_ at: Int) -> Double { Double(bitPattern: word(at)) }
  guard let place = try? Coordinate(latitudeDegrees: number(8), longitudeDegrees: number(16)),
    let assurance = Assurance(rawValue: bytes[start + 32])
  else { preconditionFailure("a test's zone has a place and an assurance") }
  let draft = ZoneDraft(
    id: ZoneID(rawValue: word(0)), name: Text("Zone \(word(0))"), size: .metres(number(24)),
    outline: .locations([place]), assurance: assurance)
  guard let zone = try? Zone(draft) else { preconditionFailure("a test's zone is one") }
  return zone
}
