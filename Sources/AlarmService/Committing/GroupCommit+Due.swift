import AlarmEngine
import Store

/// What is due, and who looks at it.
extension GroupCommit {
  /// The devices that are due now, at most `most`.
  ///
  /// If other processes work on the same store, devices of all accounts that are not in memory are left to them for a
  /// moment.
  func dueDevices(of account: AccountID?, most: Int) async throws -> [DueDevice] {
    let now = clock.now()
    postponed = postponed.filter { $0.value > now }
    neighbours.forget(before: now)
    let isShared = account == nil && neighbours.areNear(at: now)
    let skipped = postponed.count + (account == nil ? neighbours.left.count : 0)
    var due: [DueDevice] = []
    for device in try await store.devicesDue(of: account, through: now, limit: most + skipped) {
      guard due.count < most, postponed[device.device] == nil else { continue }
      if isShared, !isInMemory(device.device), neighbours.leave(device, at: now) { continue }
      due.append(device)
    }
    return due
  }

  /// When the next device is due; in the past if one is due already.
  func nextDue() async throws -> Instant? {
    let later = postponed.merging(neighbours.left) { max($0, $1) }
    guard !later.isEmpty else { return try await store.nextDeviceDue() }
    // The first of them may be one that waits.
    let first = try await store.devicesDue(
      of: nil, through: Instant.allowed.upperBound, limit: later.count + 1)
    return first.map { due in later[due.device].map { max($0, due.at) } ?? due.at }.min()
  }

  /// Puts off a device that could not be processed; it is tried again after five seconds.
  func postpone(_ device: DeviceID) {
    if postponed.count < 10_000 { postponed[device] = clock.now() + .seconds(5) }
  }
}
