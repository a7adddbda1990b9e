import AlarmEngine
import Store

/// Other processes that work on the same store.
///
/// Any process may process any device that is due. If two do so at once, one has a conflict and finds nothing
/// left to do. To avoid that, a process that has had a conflict lately first processes the devices that it
/// has in memory. It leaves the others for a moment to the process that holds them, and processes those that
/// are still due then. No process needs a list of the others. A process that works alone has no conflicts and
/// leaves nothing.
package struct Neighbours: Sendable {
  /// The time after a conflict for which other processes are assumed to be active.
  private static let remembered = TimeSpan.seconds(60)
  /// The most devices that are left to other processes. Devices beyond that are processed by every process.
  private static let mostLeft = 2000

  /// The time for which a device is left to others after it fell due. It differs between processes, so that
  /// they do not all process the device at once.
  private let patience: TimeSpan
  /// Waits before jobs are decided again. The argument is the number of conflicts so far, from 1.
  let pause: @Sendable (_ conflicts: Int) async -> Void
  private var conflictAt: Instant?
  /// The devices that are left to others, and until when.
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

  /// Forgets all times, because the clock was set.
  mutating func forgetAll() {
    left = [:]
    conflictAt = nil
  }

  /// Pauses for a few random milliseconds, twice as many after each conflict: 1 s at most in all tries
  /// together.
  package static let shortPause: @Sendable (Int) async -> Void = { conflicts in
    let most = Int64(1) << min(conflicts, 8)
    try? await Task.sleep(for: .milliseconds(Int64.random(in: 1...most)))
  }
}
