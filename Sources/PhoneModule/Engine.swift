import AlarmEngine
import PhoneHost
import WebEngine

// The native functions of the Java class `app.proximity.Engine`. Each takes and gives `byte[]`, whose form is PhoneHost's
// (`ask`: the page's). One that is given no array, or one beyond these limits, throws an IllegalArgumentException.

/// The largest file of the application, bytes. The engine writes a new snapshot long before a file is so
/// large.
let mostOfFile = 64 << 20
/// The largest input, bytes: all positions that may arrive together, with room to spare.
private let mostOfInput = 8 << 20
/// A page's largest request, bytes: a file of zones or a track.
private let mostOfRequest = 64 << 20

nonisolated(unsafe) private var phone: PhoneBytes?

/// `static native byte[] open(byte[] snapshot, byte[] journal)`: 0, or 1 where the files are damaged; then commands. With no
/// snapshot, `journal` may be all that is stored (`JournalExport`).
@_cdecl("Java_app_proximity_Engine_open")
public func open(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer,
  _ snapshot: UnsafeMutableRawPointer?,
  _ journal: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  let call = JavaCall(environment, type)
  guard let snapshot = call.bytes(snapshot, atMost: mostOfFile),
    let journal = call.bytes(journal, atMost: mostOfFile)
  else { return nil }
  let answer = call.alone {
    var isDamaged = false
    var opened = PhoneBytes(
      snapshot: snapshot, journal: journal, device: DeviceID(rawValue: .random(in: 1...UInt64.max)),
      isDamaged: &isDamaged)
    let commands = opened.takeCommands()
    phone = opened
    return [isDamaged ? 1 : 0] + commands
  }
  return call.array(answer)
}

/// `static native byte[] handle(byte[] input)`: commands.
@_cdecl("Java_app_proximity_Engine_handle")
public func handle(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer, _ input: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  let call = JavaCall(environment, type)
  guard let input = call.bytes(input, atMost: mostOfInput) else { return nil }
  return call.array(orRefused: call.alone { phone?.handle(input) }, "nothing was opened")
}

/// `static native byte[] ask(byte[] request)`: the answer to the page (`PhoneBridge`). `commands` then
/// returns the commands that result.
@_cdecl("Java_app_proximity_Engine_ask")
public func ask(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer, _ request: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  let call = JavaCall(environment, type)
  guard let request = call.bytes(request, atMost: mostOfRequest) else { return nil }
  return call.array(
    orRefused: call.alone {
      guard let host = phone?.host else { return nil }
      let (answer, told) = PhoneBridge.answer(request, of: host)
      if let told { phone?.tell(told.input, at: told.time) }
      return answer
    }, "nothing was opened")
}

/// `static native boolean isWatching(long now_ms)`: the alarms are on, with a zone that is on duty or will be.
@_cdecl("Java_app_proximity_Engine_isWatching")
public func isWatching(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer, _ now: Int64
) -> UInt8 {
  JavaCall(environment, type).alone {
    let now = Instant(millisecondsSince1970: now)
    guard Instant.allowed.contains(now), let timeline = phone?.host.timeline else { return 0 }
    return timeline.surroundings(at: now).hasZonesToCome ? 1 : 0
  }
}

/// `static native byte[] commands()`: the commands that result from `ask`.
@_cdecl("Java_app_proximity_Engine_commands")
public func commands(
  _ environment: UnsafeMutableRawPointer, _ type: UnsafeMutableRawPointer
) -> UnsafeMutableRawPointer? {
  let call = JavaCall(environment, type)
  return call.array(orRefused: call.alone { phone?.takeCommands() }, "nothing was opened")
}
