import AlarmEngine
import Store

/// Finds the devices that are due and decides which of them this process handles.
extension GroupCommit {
  /// Returns the devices that are due now, at most `most`.
  ///
  /// If other processes work on the same store and all accounts are asked for, devices that are not in memory
  /// are left to those processes for a moment.
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

  /// Returns the time when the next device is due; in the past if one is due already.
  func nextDue() async throws -> Instant? {
    let later = postponed.merging(neighbours.left) { max($0, $1) }
    guard !later.isEmpty else { return try await store.nextDeviceDue() }
    // The first of them may be one that is postponed or left to others.
    let first = try await store.devicesDue(
      of: nil, through: Instant.allowed.upperBound, limit: later.count + 1)
    return first.map { due in later[due.device].map { max($0, due.at) } ?? due.at }.min()
  }

  /// Puts off a device that could not be processed; it is tried again after five seconds.
  func postpone(_ device: DeviceID) {
    if postponed.count < 10_000 { postponed[device] = clock.now() + .seconds(5) }
  }
}

extension GroupCommit {
  /// True if the error may be due to one job alone; false if the store takes nothing at all.
  static func isPeculiar(_ error: any Error) -> Bool {
    switch error as? StoreError {
    case .diskFull, .locked, .readOnly, .closed, .cancelled, .cannotOpen, .fileReplaced, .emptied,
      .newerSchema, .unreleasedSchema, .foreignFile, .unavailable, .badAddress, .notAllowed:
      false
    case .notFound, .stale, .privateAccount, .checkInRuns, .conflict, .taken, .tooMany, .usedUp,
      .clockAhead, .corrupted, .failed, nil:
      true
    }
  }
}
