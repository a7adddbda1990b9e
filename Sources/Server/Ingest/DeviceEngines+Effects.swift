import AlarmEngine
import Geometry
import Logging
import Store

extension DeviceEngines {
  func book(_ engine: DeviceEngine, _ alarms: [AlarmID: AlarmRecord], at now: Instant) -> AlarmBook {
    AlarmBook(
      device: engine.device, account: engine.account ?? AccountID(rawValue: 0), alarms: alarms, now: now
    ) { engine.zone($0, at: $1)?.name ?? .empty }
  }

  /// Adds the results of changes to the transaction: events, alarm records and deliveries.
  ///
  /// - Parameters:
  ///   - silenceEnds: why alarms about silence end, if they do: the device reported, or was switched off.
  ///   - passesTime: also handles what is due and not known to the engine: silence, repeats of alarms that
  ///     are not about zones, escalation.
  ///   - agrees: the engine was rebuilt, and the records have to be made to agree with it.
  func settle(
    _ changes: [Timeline.Change], silenceEnds: Clearing? = nil, passesTime: Bool = false,
    agrees: Bool = false,
    answer: (AlarmID, AlarmRecord.State, by: String)? = nil, _ engine: inout DeviceEngine,
    _ transaction: inout IngestTransaction
  ) async throws {
    defer {
      if agrees || engine.unforgotten > DeviceEngine.keptAtMost {
        engine.forgetPast()
      }
    }
    guard engine.account != nil else { return }
    let isQuiet = changes.allSatisfy { $0.added.isEmpty && $0.retracted.isEmpty }
    let endsSilence = silenceEnds.map { why in engine.open.values.contains { $0.endsWith(why) } } ?? false
    if isQuiet, !agrees, answer == nil, !passesTime, !endsSilence { return }
    var alarms = engine.open
    var unknown: [AlarmID] = []
    for id in changes.reduce(
      into: Set<AlarmID>(), { $0.formUnion(AlarmBook.mentioned(in: $1, on: engine.id)) })
    where alarms[id] == nil {
      if let known = transaction.alarms[engine.id]?[id] { alarms[id] = known } else { unknown.append(id) }
    }
    // Most of them are new and not in the store.
    if !unknown.isEmpty {
      for alarm in try await store.alarms(unknown) { alarms[alarm.id] = alarm }
    }
    var book = book(engine, alarms, at: transaction.now)
    // Before the changes are applied, so that an alarm about a signal lost since then stays.
    if let silenceEnds { book.endSilence(at: transaction.now, silenceEnds) }
    for change in changes {
      book.take(change)
      transaction.batch.events += change.retracted.compactMap {
        Self.event($0, of: engine.id, isRetracted: true)
      }
      transaction.batch.events += change.added.compactMap {
        Self.event($0, of: engine.id, isRetracted: false)
      }
    }
    let retracts = changes.contains { !$0.retracted.isEmpty }
    if agrees || retracts, let timeline = engine.timeline { book.agree(with: timeline) }
    book.tellAnew(since: alarms)
    if let (id, state, by) = answer { book.answer(id, state, by: by) }
    if passesTime { try await look(&book, &engine, &transaction) }
    try await finish(book, &engine, &transaction)
  }

  /// The row for an event. Repeats have none: they are counted in the alarm's record, and there can be
  /// thousands a day.
  private static func event(_ event: Event, of device: DeviceID, isRetracted: Bool) -> DeviceEvent? {
    switch event.kind {
    case .repeat, .proposal: nil
    case .alarm, .cleared, .missedSignal, .ignored, .notice:
      DeviceEvent(device: device, event: event, isRetracted: isRetracted)
    }
  }

  /// Handles what is due and not known to the engine.
  private func look(
    _ book: inout AlarmBook, _ engine: inout DeviceEngine, _ transaction: inout IngestTransaction
  ) async throws {
    let now = transaction.now
    if let silent = engine.silenceDue, silent <= now {
      let known = try await store.alarms([AlarmBook.silence(of: engine.id, since: engine.heardAt)])
      for alarm in known { book.know(alarm) }
      book.fallSilent(since: engine.heardAt, until: silent)
    }
    for alarm in engine.open.values.sorted(by: { $0.id < $1.id }) {
      if let due = engine.ownRepeat(of: alarm), due <= now { book.repeatOwn(alarm.id) }
    }
    try await lookAtEscalations(&book, &engine, &transaction)
  }

  func channels(of account: AccountID, _ transaction: inout IngestTransaction) async throws -> [Channel] {
    if let channels = transaction.reads.channels[account] { return channels }
    let channels = try await store.channels(of: account)
    transaction.reads.channels[account] = channels
    return channels
  }

  func finish(
    _ book: AlarmBook, _ engine: inout DeviceEngine, _ transaction: inout IngestTransaction
  ) async throws {
    guard let account = engine.account else { return }
    for id in book.changed.sorted() {
      guard var alarm = book.alarms[id] else { continue }
      let before = engine.open[id]
      let channels = try await channels(of: account, &transaction)
      let first = channels.filter { $0.takes(engine.id) }.map(\.escalationStep).min() ?? 0
      if before == nil, alarm.isOpen { alarm.escalationStep = max(alarm.escalationStep, first) }
      transaction.alarms[engine.id, default: [:]][id] = alarm
      transaction.published.insert(account)
      engine.open[id] = alarm.isOpen ? alarm : nil
      var isHeldBack = false
      if book.made.contains(id) {
        engine.unsavedAlarms.insert(id)
        isHeldBack = holdsBack(alarm, &transaction)
      }
      engine.noteAccuracy(of: alarm)
      if alarm.state == .ringing {
        if before?.state != .ringing || before?.escalationStep != alarm.escalationStep {
          try await schedule(alarm, try await attempts(of: alarm, engine), &engine, &transaction)
        }
      } else {
        engine.escalations[id] = nil
      }
      if !isHeldBack { tell(alarm, before, book.words[id], channels, engine, &transaction) }
    }
    for (zone, at) in book.notices {
      try await show(zone, since: at, of: account, engine, &transaction)
    }
  }

  /// Whether the zone has made too many alarms, so that nobody is notified of this one yet.
  private func holdsBack(_ alarm: AlarmRecord, _ transaction: inout IngestTransaction) -> Bool {
    guard alarm.isOfZone, let zone = alarm.zone else { return false }
    let now = transaction.now
    let before =
      breaker.count(alarm.device, zone, at: now)
      + (transaction.rung[alarm.device] ?? []).count { $0 == zone }
    transaction.rung[alarm.device, default: []].append(zone)
    guard before >= AlarmBreaker.most else { return false }
    metrics.count("proximity_alarms_held_back_total")
    if breaker.isNews(alarm.device, zone, at: now) {
      logger.error(
        "a zone makes alarm after alarm on one device: further ones are told by their repeats only",
        metadata: ["device": "\(alarm.device)", "zone": "\(zone)", "alarms": "\(before + 1)"])
    }
    postpone(alarm.device)
    return true
  }

  /// Puts the notifications of an alarm into the outbox.
  private func tell(
    _ alarm: AlarmRecord, _ before: AlarmRecord?, _ word: AlarmBook.Word?, _ channels: [Channel],
    _ engine: DeviceEngine, _ transaction: inout IngestTransaction
  ) {
    let now = transaction.now
    let reached = channels.filter { $0.takes(engine.id) && $0.escalationStep <= alarm.escalationStep }
    let escalated = reached.filter { $0.escalationStep > before?.escalationStep ?? Int.max }
    // Nobody needs to hear of an alarm that began before the repeat horizon.
    let isOld = alarm.began < now - engine.settings.repeatHorizon && !alarm.isDistress
    let payload = OutboxPayload(
      alarm, zone: engine.zone(of: alarm), device: engine.device, accuracy: engine.accuracy(of: alarm))
    // An alarm that repeated and ended in the same transaction is over.
    switch word == .repeat && !alarm.isOpen ? .withdrawn : word {
    case .ring?:
      guard !isOld else { break }
      let notice = payload.notice(alarm.ringKind)
      for channel in reached { transaction.add(notice, alarm, channel, lifetime: .hours(24)) }
      return
    case .repeat?:
      let notice = payload.notice(alarm.isOfZone ? .repeat : alarm.ringKind)
      for channel in reached where channel.kind.repeats && !escalated.contains(channel) {
        // With the same lifetime as the first notification, which it may replace in the outbox.
        transaction.add(notice, alarm, channel, lifetime: .hours(24))
      }
    case .withdrawn?:
      withdraw(alarm, wasTold: before != nil, reached, payload, &transaction)
      return
    case nil: break
    }
    let notice = payload.notice(alarm.ringKind)
    for channel in escalated { transaction.add(notice, alarm, channel, lifetime: .hours(24)) }
  }

  /// Withdraws the notifications of an alarm.
  ///
  /// If the alarm was answered or retracted, pending deliveries are dropped (S194). If the phone merely left the zone,
  /// people who were not told yet are still told.
  private func withdraw(
    _ alarm: AlarmRecord, wasTold: Bool, _ reached: [Channel], _ payload: OutboxPayload,
    _ transaction: inout IngestTransaction
  ) {
    var key = alarm.id.description
    if case .cleared = alarm.state {
      key += "-cleared"
    } else {
      transaction.batch.withdrawn.append(alarm.id)
      transaction.batch.outbox.removeAll { $0.alarm == alarm.id }
    }
    guard wasTold else { return }
    for channel in reached {
      let isTold = channel.kind.tellsClearing && key != alarm.id.description
      transaction.add(
        isTold ? payload.notice(.cleared) : payload.withdrawal, alarm, channel, lifetime: .hours(24), key: key
      )
    }
  }
}

extension IngestTransaction {
  /// - Parameter key: a pending delivery to the channel with the same key is replaced. If nil, the key is the
  ///   alarm's id.
  mutating func add(
    _ payload: [UInt8], _ alarm: AlarmRecord, _ channel: Channel, lifetime: TimeSpan, key: String? = nil
  ) {
    batch.outbox.append(
      OutboxItem(
        account: alarm.account, channel: channel.id, alarm: alarm.id,
        collapseKey: key ?? alarm.id.description,
        payload: payload, createdAt: now, dueAt: now, expiresAt: now + lifetime))
  }
}

extension DeviceEngine {
  /// The zone as it was at a time if the running transaction judges that time again, else as it is now.
  func zone(_ id: ZoneID, at time: Instant) -> Zone? {
    (past?.zones(at: time) ?? watched)?.zone(id) ?? watched?.zone(id)
  }

  func zone(of alarm: AlarmRecord) -> Zone? {
    alarm.zone.flatMap { zone($0, at: alarm.decidedAt) }
  }

  /// The accuracy of the alarm's position. Nil if it is not known: no fix stated it, or the server was
  /// restarted since.
  func accuracy(of alarm: AlarmRecord) -> Distance? {
    accuracies[alarm.id].flatMap { $0.position == alarm.position ? $0.accuracy : nil }
  }

  /// Remembers the latest fix's accuracy if the alarm's position is that of the latest fix.
  mutating func noteAccuracy(of alarm: AlarmRecord) {
    guard alarm.isOpen else {
      accuracies[alarm.id] = nil
      return
    }
    guard let fix = timeline?.position, fix.position == alarm.position,
      case .radius(let radius) = fix.accuracy, radius >= .zero
    else { return }
    accuracies[alarm.id] = (fix.position, radius)
  }
}

extension Channel {
  func takes(_ device: DeviceID) -> Bool { isActive && (devices?.contains(device) ?? true) }
}

extension ChannelKind {
  /// Whether repeats are sent to the channel. A mail every ten seconds would help nobody, and OwnTracks
  /// learns of alarms in the answers to the phone's own posts.
  var repeats: Bool {
    switch self {
    case .webPush, .ntfy, .apns, .webhook, .homeAssistant: true
    case .mail, .ownTracks: false
    }
  }
  /// Whether the channel is notified that an alarm ended. Programs are; on people's screens the notification
  /// is removed instead.
  var tellsClearing: Bool {
    switch self {
    case .webhook, .homeAssistant: true
    case .webPush, .ntfy, .apns, .mail, .ownTracks: false
    }
  }
}

extension AlarmRecord {
  var ringKind: AlarmNotice.Kind {
    switch subject {
    case .zone: .ring
    case .missedSignal: .missedSignal
    case .silence: .deviceSilent
    case .lowBattery: .batteryLow
    case .distress: .distress
    case .unreadable: .deviceUnreadable
    }
  }
}
