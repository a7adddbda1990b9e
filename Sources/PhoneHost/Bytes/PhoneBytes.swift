import AlarmEngine
import Geometry

/// A ``PhoneHost`` for a platform that is not written in Swift: bytes in, bytes out, with the certified policy.
public struct PhoneBytes: Sendable {
  public private(set) var host: PhoneHost<CertifiedWatch>
  /// Commands not yet returned.
  private var waiting: [PhoneCommand] = []

  /// - Parameters:
  ///   - snapshot: the one last stored; empty at the first launch.
  ///   - device: the name for a new installation.
  ///   - isDamaged: set if the stored bytes cannot be read: a new installation begins, and the person has to
  ///     be informed.
  public init(snapshot: [UInt8], journal: [UInt8], device: DeviceID, isDamaged: inout Bool) {
    isDamaged = false
    if !snapshot.isEmpty {
      if let host = try? PhoneHost(
        snapshot: snapshot, journal: journal, policy: CertifiedWatch(), requests: .answeredOnce)
      {
        self.host = host
        return
      }
      isDamaged = true
    }
    host = PhoneHost(
      beginning: Timeline(device: device, settings: .phone, zones: [], armed: false),
      policy: CertifiedWatch(),
      requests: .answeredOnce)
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
