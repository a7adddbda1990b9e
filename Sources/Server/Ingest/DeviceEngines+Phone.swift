import AlarmEngine
import Geometry
import Store

/// What phones tell of themselves, and the alarms about it: a battery that is low rings once for each discharge, the SOS
/// button until somebody answers, and what is encrypted and cannot be read as long as it cannot.
extension DeviceEngines {
  /// So much above the level at which it rings, the battery was charged.
  private static let recovery = 0.05
  /// What was pressed longer ago than this is history.
  private static let latestDistress = TimeSpan.hours(24)

  func notePhone(
    _ report: DeviceReport, _ engine: inout DeviceEngine, _ transaction: inout IngestTransaction
  ) async throws {
    let (now, before) = (transaction.now, engine.device.status)
    let told = report.told.sorted { $0.at < $1.at }
    for each in told { engine.device.status.take(each, by: now) }
    noteUnread(report, &engine.device.status, at: now)
    var book = book(engine, engine.open, at: now)
    if let account = engine.account {
      try await noteBattery(account, &book, &engine, &transaction)
      try await noteDistress(told, &book)
      noteUnread(report, &book, before)
    }
    if engine.device.status.isNews(after: before) {
      transaction.batch.statuses[engine.id] = engine.device.status
      if let account = engine.account {
        transaction.moved[engine.id] = account
        transaction.published.insert(account)
      }
    }
    if !book.changed.isEmpty {
      try await finish(book, &engine, &transaction)
      transaction.stored.insert(engine.id)
    }
  }

  private func noteBattery(
    _ account: AccountID, _ book: inout AlarmBook, _ engine: inout DeviceEngine,
    _ transaction: inout IngestTransaction
  ) async throws {
    let status = engine.device.status
    guard let level = status.battery else { return }
    // No setting is higher: most reports need not ask for it.
    let couldBeLow = level <= DeviceSettings.highestLowBattery / 100
    guard couldBeLow || status.lowBatterySince != nil else { return }
    let low = try await lowBattery(account, engine.device, &transaction)
    if status.isCharging == true || level >= low + Self.recovery || low <= 0 {
      engine.device.status.lowBatterySince = nil
      book.end { $0.isLowBattery }
    } else if level <= low, status.lowBatterySince == nil, engine.device.isArmed {
      let began = status.toldAt ?? transaction.now
      engine.device.status.lowBatterySince = began
      book.lowBattery(level, at: began)
    }
  }

  /// 0 to 1; 0 never rings.
  private func lowBattery(
    _ account: AccountID, _ device: Device, _ transaction: inout IngestTransaction
  ) async throws -> Double {
    DeviceSettings.lowBattery([try await settingsText(of: account, &transaction), device.settings])
  }

  /// It rings whether or not the device is armed: whoever presses it wants to be heard.
  private func noteDistress(
    _ told: [PhoneTold], _ book: inout AlarmBook
  ) async throws {
    let now = book.now
    for press in told where press.isDistress {
      let at = min(press.at, now)
      guard at > now - Self.latestDistress else { continue }
      let open = book.alarms.values.filter { $0.isDistress && $0.isOpen }
      // Some buttons are reported with each position until they are released.
      if open.contains(where: { !$0.isAcknowledged || at <= $0.answeredAt ?? .allowed.upperBound }) {
        continue
      }
      // The same position sent again.
      if try await !store.alarms([book.distressID(at: at)]).isEmpty { continue }
      book.end { $0.isDistress }
      book.distress(at: at, press.position)
    }
    guard let last = told.last, !last.isDistress else { return }
    book.end { alarm in
      alarm.isDistress && alarm.isAcknowledged && alarm.answeredAt.map { last.at > $0 } ?? false
    }
  }

  private func noteUnread(_ report: DeviceReport, _ status: inout DeviceStatus, at now: Instant) {
    if let unread = report.unread {
      status.unread = unread
      status.unreadSince = status.unreadSince ?? now
    } else if report.isHeard {
      status.unread = nil
      status.unreadSince = nil
    }
  }

  private func noteUnread(_ report: DeviceReport, _ book: inout AlarmBook, _ before: DeviceStatus) {
    if let unread = report.unread {
      if before.unreadSince == nil, book.device.isArmed { book.unreadable(unread) }
    } else if report.isHeard {
      book.end { $0.isUnreadable }
    }
  }
}
