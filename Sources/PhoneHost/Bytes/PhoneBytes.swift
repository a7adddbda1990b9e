import AlarmEngine
import Geometry

/// A ``PhoneHost`` for a platform that is not written in Swift: bytes in, bytes out, with the certified policy.
public struct PhoneBytes: Sendable {
  public private(set) var host: PhoneHost<CertifiedWatch>
  /// Commands not yet returned.
  private var waiting: [PhoneCommand] = []

  /// - Parameters:
  ///   - snapshot: the one last stored; empty at the first launch, and where it is lost or cannot be read.
  ///   - journal: the one behind the snapshot. With an empty snapshot it may be all that is stored, as ``JournalExport``:
  ///     the watch goes on from what can be read of that.
  ///   - device: the name for a new installation.
  ///   - isDamaged: set if stored bytes are lost or cannot be read. If it is the snapshot, a new installation begins;
  ///     the platform then gives all that is stored.
  public init(snapshot: [UInt8], journal: [UInt8], device: DeviceID, isDamaged: inout Bool) {
    let begun = Timeline(device: device, settings: .phone, zones: [], armed: false)
    let policy = CertifiedWatch()
    if snapshot.isEmpty, let export = try? JournalExport.read(journal) {
      host = PhoneHost(
        recovering: export.parts, orBeginning: begun, policy: policy, requests: .answeredOnce)
    } else if snapshot.isEmpty {
      host = PhoneHost(beginning: begun, policy: policy, requests: .answeredOnce)
    } else if let read = try? PhoneHost(
      snapshot: snapshot, journal: journal, policy: policy, requests: .answeredOnce)
    {
      host = read
    } else {
      host = PhoneHost(beginning: begun, policy: policy, requests: .answeredOnce)
      isDamaged = true
      return
    }
    isDamaged = host.isDamaged
  }

  /// Takes one input (``PhoneInputBytes``) and returns commands (``PhoneCommandBytes``). Invalid bytes change
  /// nothing.
  public mutating func handle(_ bytes: [UInt8]) -> [UInt8] {
    do {
      let (input, time) = try PhoneInputBytes.read(bytes)
      waiting += host.handle(input, at: time)
      return takeCommands()
    } catch { return PhoneCommandBytes.refused(error) }
  }

  /// Takes an input that does not come by ``handle(_:)``. Its commands wait for ``takeCommands()``.
  public mutating func tell(_ input: PhoneInput, at time: PhoneTime) {
    waiting += host.handle(input, at: time)
  }

  public mutating func takeCommands() -> [UInt8] {
    defer { waiting = [] }
    return PhoneCommandBytes.write(waiting, of: host.timeline)
  }
}
