import AlarmEngine
import Geometry
import Store

/// The status that phones report, and the alarms about it. A low battery rings once for each discharge, the
/// SOS button until somebody acknowledges it, and unreadable messages until one can be read.
extension DeviceEngines {
  /// A battery this far above the low level has been charged.
  private static let recovery = 0.05
  /// An SOS button pressed longer ago makes no alarm.
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
    // The setting cannot be higher, so most reports need not read it.
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

  /// The level, from 0 to 1, at which the battery counts as low; 0 never rings.
  private func lowBattery(
    _ account: AccountID, _ device: Device, _ transaction: inout IngestTransaction
  ) async throws -> Double {
    DeviceSettings.lowBattery([try await settingsText(of: account, &transaction), device.settings])
  }

  /// Rings whether or not the device is armed: a person who presses the button wants to be heard.
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
      // Not for a position that is sent again.
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
