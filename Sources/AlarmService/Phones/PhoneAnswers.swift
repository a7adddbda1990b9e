import AlarmEngine
import Formats
import Geometry
import NIOConcurrencyHelpers
import PayloadCrypto
import Store

/// Makes the answers to the posts of phones: ringing alarms, friends, the nearest fences, how often to
/// report.
///
/// The last answer to each phone is held in memory only. After a restart it is sent once more, which does no
/// harm.
package final class PhoneAnswers: Sendable {
  /// The fences last sent to a phone. A hundred thousand phones have one each, so it is small.
  private struct Fences {
    var revision: UInt64
    /// The position in 1e-7 degrees, a centimetre.
    private let latitude: Int32
    private let longitude: Int32
    /// The hash value of the fences that were sent.
    var sent: Int

    init(revision: UInt64, place: Coordinate, sent: Int) {
      self.revision = revision
      self.sent = sent
      (latitude, longitude) = (Self.whole(place.latitude), Self.whole(place.longitude))
    }

    private static func whole(_ angle: Angle) -> Int32 { Int32((angle.degrees * 1e7).rounded()) }

    var place: Coordinate {
      Coordinate(latitude: .degrees(Double(latitude) / 1e7), longitude: .degrees(Double(longitude) / 1e7))
    }
  }
  private struct Book {
    var fences: [DeviceID: Fences] = [:]
    /// The fences that a phone has reported to have.
    var known: [DeviceID: [String]] = [:]
    var steering: [DeviceID: OverlandSettings] = [:]
    var friends: [AccountID: Friends] = [:]
  }
  /// The devices that an account's phones see as friends.
  private struct Friends {
    var devices: [Device]?
    var until = Instant.allowed.lowerBound
    var reading: Task<[Device], any Error>?
  }
  private static let remembered = 200_000
  /// Fences are chosen again when the phone has moved this far, or the zones have changed.
  private static let moved = Distance.metres(250)
  /// The number of nearest zones from which the fences are chosen. It exceeds the number of fences, since the
  /// circle around a long zone is nearer than the zone.
  private static let candidates = 4 * OwnTracksFences.most
  private static let friendsHeld = TimeSpan.seconds(15)
  private static let friendsAtMost = 20

  private let store: SQLStore
  private let book = NIOLockedValueBox(Book())

  package init(store: SQLStore) { self.store = store }

  /// - Parameter isProven: whether the report carried a good token or was encrypted with the device's key.
  ///   Otherwise the sender may only know the device's name, and learns nothing except that the report was
  ///   taken.
  package func reply(
    to report: PhoneReport, _ request: PhoneRequest, _ outcome: IngestOutcome, isProven: Bool
  ) async throws -> PhoneReply {
    guard isProven else { return .stored(report) }
    if report.endpoint.isOwnTracks, !report.isOverlandAsOwnTracks {
      return try await ownTracks(report, request, outcome)
    }
    switch report.endpoint {
    case .overland, .logOverland:
      guard outcome.device?.account != nil, let nearest = outcome.nearest else { return .stored(report) }
      return overland(outcome, nearest)
    default: return .stored(report)
    }
  }

  /// Returns the nearest zones as a command for an OwnTracks phone that reports by MQTT, encrypted if the
  /// phone has a key. Returns nil if the phone has them already.
  package func command(
    to report: PhoneReport, _ request: PhoneRequest, _ outcome: IngestOutcome
  ) -> [UInt8]? {
    guard let device = outcome.device, device.account != nil,
      let fences = fences(report, request, outcome, device)
    else { return nil }
    let message = OwnTracksItem.command(.setWaypoints(fences)).message
    guard let passphrase = device.passphrase else { return message }
    // Without a usable key the phone could read no answer.
    guard let key = try? PayloadKey(passphrase: passphrase) else { return nil }
    return OwnTracksItem.encode(sealed: key.seal(message))
  }

  /// Forgets the fences of a phone that did not receive them, so that the next answer carries them again.
  package func forgetFences(of device: DeviceID) {
    book.withLockedValue { book in
      book.fences[device] = nil
      book.known[device] = nil
    }
  }

  /// Forgets all friends. Call it when another process has changed the store.
  package func forgetFriends() { book.withLockedValue { $0.friends.removeAll() } }

  package func forgetFriends(of accounts: Set<AccountID>) {
    book.withLockedValue { book in for account in accounts { book.friends[account] = nil } }
  }

  // MARK: OwnTracks

  private func ownTracks(
    _ report: PhoneReport, _ request: PhoneRequest, _ outcome: IngestOutcome
  ) async throws -> PhoneReply {
    var items: [OwnTracksItem] = []
    if let device = outcome.device, let account = device.account {
      items += transitions(outcome, device)
      items += try await friends(of: account, but: device, at: request.receivedAt)
      if let fences = fences(report, request, outcome, device) {
        items.append(.command(.setWaypoints(fences)))
      }
    }
    guard let passphrase = outcome.device?.passphrase, let key = try? PayloadKey(passphrase: passphrase)
    else {
      return .stored(report, items: items)
    }
    return PhoneReply(body: OwnTracksItem.encode(sealed: key.seal(OwnTracksItem.encode(items))))
  }

  /// Returns the ringing alarms, for every post of the phone. iOS shows the same notification only once.
  private func transitions(_ outcome: IngestOutcome, _ device: Device) -> [OwnTracksItem] {
    outcome.open.compactMap { alarm -> OwnTracksItem? in
      guard alarm.state == .ringing, case .zone(let zone, let name, let cause) = alarm.subject,
        let position = alarm.position
      else { return nil }
      return .transition(
        trackerID: device.trackerID.isEmpty ? "PA" : device.trackerID, isEntering: cause != .left,
        zone: OwnTracksWaypoints.safeName(name.string), at: alarm.began, zoneMadeAt: madeAt(zone),
        Fix(
          position: position, accuracy: outcome.accuracies[alarm.id].map { .radius($0) } ?? .unstated,
          measuredAt: alarm.began))
    }
  }

  /// Returns a time in the years 2001 to 2023, always the same for a zone.
  private func madeAt(_ zone: ZoneID) -> Instant {
    Instant(millisecondsSince1970: (1_000_000_000 + Int64(zone.rawValue % 700_000_000)) * 1000)
  }

  private func friends(
    of account: AccountID, but device: Device, at now: Instant
  ) async throws -> [OwnTracksItem] {
    let all = try await trackedDevices(of: account, at: now)
    var items: [OwnTracksItem] = []
    for friend in all.filter({ $0.id != device.id }).prefix(Self.friendsAtMost) {
      guard let fix = friend.lastFix, !friend.trackerID.isEmpty else { continue }
      items.append(.card(trackerID: friend.trackerID, name: friend.name))
      items.append(.location(trackerID: friend.trackerID, fix))
    }
    return items
  }

  /// Returns the tracked devices. Requests of one account at the same time share one read: hundreds of phones
  /// may ask.
  private func trackedDevices(of account: AccountID, at now: Instant) async throws -> [Device] {
    enum Way {
      case held([Device])
      case wait(Task<[Device], any Error>)
      case read(Task<[Device], any Error>)
    }
    let way = book.withLockedValue { book -> Way in
      var friends = book.friends[account] ?? Friends()
      let isFresh = now < friends.until || friends.reading != nil
      if let devices = friends.devices, isFresh { return .held(devices) }
      if let reading = friends.reading { return .wait(reading) }
      let reading = Task { [store] in
        try await store.trackedDevices(of: account, limit: Self.friendsAtMost + 1)
      }
      friends.reading = reading
      if book.friends.count >= Self.remembered { book.friends.removeAll() }
      book.friends[account] = friends
      return .read(reading)
    }
    switch way {
    case .held(let devices): return devices
    case .wait(let reading): return try await reading.value
    case .read(let reading):
      let read = await reading.result
      book.withLockedValue { book in
        // If the friends were forgotten during the read, they may have changed, so the result is not kept.
        guard book.friends[account]?.reading == reading else { return }
        book.friends[account] = Friends(
          devices: try? read.get(), until: now + Self.friendsHeld, reading: nil)
      }
      return try read.get()
    }
  }

  private static func hasMoved(from start: Coordinate, to end: Coordinate) -> Bool {
    // A degree has a greatest length, so most phones that stay near need no geodesic.
    let degrees =
      abs(end.latitude.degrees - start.latitude.degrees)
      + abs(end.longitude.degrees - start.longitude.degrees)
    return degrees * Earth.mostMetresPerDegree >= moved.metres && start.distance(to: end) >= moved
  }

  /// Returns the nearest zones if they differ from those that were sent last.
  private func fences(
    _ report: PhoneReport, _ request: PhoneRequest, _ outcome: IngestOutcome, _ device: Device
  ) -> OwnTracksFences? {
    guard let watched = outcome.watched, let position = outcome.position, !report.fixes.isEmpty else {
      return nil
    }
    let (last, known) = book.withLockedValue { book in
      for case .waypoints(let known) in report.messages where book.fences[device.id] != nil {
        book.known[device.id] = known.compactMap(\.regionID)
      }
      return (book.fences[device.id], book.known[device.id] ?? [])
    }
    if let last, last.revision == watched.revision, !Self.hasMoved(from: last.place, to: position.position) {
      return nil
    }
    let fences = OwnTracksFences(
      zones: watched.nearest(Self.candidates, to: position.position), near: position.position,
      speed: position.speed ?? .metresPerSecond(0),
      known: known, platform: OwnTracksPlatform(userAgent: request.userAgent),
      defaultRadius: watched.defaultRadius)
    book.withLockedValue { book in
      if book.fences.count >= Self.remembered {
        book.fences.removeAll()
        book.known.removeAll()
      }
      book.fences[device.id] = Fences(
        revision: watched.revision, place: position.position, sent: fences.hashValue)
    }
    if let last { return last.sent == fences.hashValue ? nil : fences }
    return fences.circles.isEmpty ? nil : fences
  }

  // MARK: Overland

  private func overland(_ outcome: IngestOutcome, _ nearest: Distance) -> PhoneReply {
    guard let device = outcome.device else { return .overland() }
    let settings = OverlandSettings.watching(nearest: nearest, maximumSpeed: outcome.maximumSpeed)
    let isNew = book.withLockedValue { book in
      if book.steering.count >= Self.remembered { book.steering.removeAll() }
      defer { book.steering[device.id] = settings }
      return book.steering[device.id] != settings
    }
    let ringing = outcome.open.first { $0.state == .ringing && $0.isOfZone }
    var place: String?
    if case .zone(_, let name, _)? = ringing?.subject { place = "Alarm: \(name.string)" }
    return .overland(set: isNew ? settings : OverlandSettings(), place: place)
  }
}
