import AlarmEngine
import Store

/// Other processes that work on the same store.
///
/// Any process may look at any device that is due: of two that do so at once one has a conflict and finds nothing left to
/// do. To spare that, a process that has had a conflict lately first looks at the devices that it has in memory. It leaves
/// the others for a moment to whoever has them, and looks at them when they are still due then: nobody has to know which
/// processes there are. A process that works alone has no conflicts and leaves nothing.
package struct Neighbours: Sendable {
  /// So long after a conflict others are taken to be there.
  private static let remembered = TimeSpan.seconds(60)
  /// Of so many devices at most; what is due beyond that is looked at by everybody.
  private static let mostLeft = 2000

  /// How long a device is left to others after it fell due. Each process has another span, so that they do not all come
  /// at once.
  private let patience: TimeSpan
  /// Waits before jobs are decided again. It is told how often other processes were quicker, from 1.
  let pause: @Sendable (_ conflicts: Int) async -> Void
  private var conflictAt: Instant?
  /// Devices that are left to others, and until when.
  private(set) var left: [DeviceID: Instant] = [:]

  package init(
    patience: TimeSpan = .seconds(.random(in: 0.3...0.7)),
    pause: @escaping @Sendable (_ conflicts: Int) async -> Void = Neighbours.shortPause
  ) {
    self.patience = patience
    self.pause = pause
  }

  mutating func noteConflict(at now: Instant) { conflictAt = now }

  func areNear(at now: Instant) -> Bool {
    conflictAt.map { $0 <= now && now - $0 < Self.remembered } ?? false
  }

  /// - Returns: false if the device has been due for too long to be left to others.
  mutating func leave(_ device: DueDevice, at now: Instant) -> Bool {
    let until = device.at + patience
    guard until > now, left.count < Self.mostLeft || left[device.device] != nil else { return false }
    left[device.device] = until
    return true
  }

  mutating func forget(before now: Instant) { left = left.filter { $0.value > now } }

  /// The clock was set, so the times mean nothing any more.
  mutating func forgetAll() {
    left = [:]
    conflictAt = nil
  }

  /// A few milliseconds by chance, twice as many after each conflict: 1 s at most in all tries together.
  package static let shortPause: @Sendable (Int) async -> Void = { conflicts in
    let most = Int64(1) << min(conflicts, 8)
    try? await Task.sleep(for: .milliseconds(Int64.random(in: 1...most)))
  }
}
