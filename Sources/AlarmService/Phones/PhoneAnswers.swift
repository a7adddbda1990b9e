import AlarmEngine
import Formats
import Geometry
import NIOConcurrencyHelpers
import PayloadCrypto
import Store

/// Makes the answers to the posts of phones: ringing alarms, friends, the nearest fences, how often to
/// report.
///
/// What a phone was sent last is held in memory only. After a restart it is sent once more, which does no
/// harm.
package final class PhoneAnswers: Sendable {
  private struct Fences {
    var revision: UInt64
    var place: Coordinate
    /// Hash values of what was sent: with a hundred thousand phones the contents would take too much memory.
    var sent: Int
    var known: [String] = []
  }
  private struct Book {
    var fences: [DeviceID: Fences] = [:]
    var steering: [DeviceID: OverlandSettings] = [:]
    var friends: [AccountID: (devices: [Device], until: Instant)] = [:]
  }
  private static let remembered = 200_000
  /// Fences are chosen again when the phone has moved this far, or the zones have changed.
  private static let moved = Distance.metres(250)
  /// How many of the nearest zones the fences are chosen from. More than there are fences, since the circle
  /// around a long zone is nearer than the zone.
  private static let candidates = 4 * OwnTracksFences.most
  private static let friendsHeld = TimeSpan.seconds(15)
  private static let friendsAtMost = 20

  private let store: any ServerStore
  private let book = NIOLockedValueBox(Book())

  package init(store: any ServerStore) { self.store = store }

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

  /// The nearest zones as a command for an OwnTracks phone that reports by MQTT, encrypted where the phone has a key; nil
  /// where it has them already.
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

  /// What was sent last did not arrive: it is sent again with the next answer.
  package func forgetFences(of device: DeviceID) {
    book.withLockedValue { $0.fences[device] = nil }
  }

  /// Call it when another process has changed the store.
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

  /// The ringing alarms, with every post of the phone. iOS shows the same notification only once.
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

  /// In the years 2001 to 2023, the same for the same zone.
  private func madeAt(_ zone: ZoneID) -> Instant {
    Instant(millisecondsSince1970: (1_000_000_000 + Int64(zone.rawValue % 700_000_000)) * 1000)
  }

  private func friends(
    of account: AccountID, but device: Device, at now: Instant
  ) async throws -> [OwnTracksItem] {
    let held = book.withLockedValue { $0.friends[account] }
    let all: [Device]
    if let held, now < held.until {
      all = held.devices
    } else {
      let read = try await store.trackedDevices(of: account, limit: Self.friendsAtMost + 1)
      book.withLockedValue { book in
        if book.friends.count >= Self.remembered { book.friends.removeAll() }
        book.friends[account] = (read, now + Self.friendsHeld)
      }
      all = read
    }
    var items: [OwnTracksItem] = []
    for friend in all.filter({ $0.id != device.id }).prefix(Self.friendsAtMost) {
      guard let fix = friend.lastFix, !friend.trackerID.isEmpty else { continue }
      items.append(.card(trackerID: friend.trackerID, name: friend.name))
      items.append(.location(trackerID: friend.trackerID, fix))
    }
    return items
  }

  private static func hasMoved(from start: Coordinate, to end: Coordinate) -> Bool {
    // No degree of latitude is longer than 111.7 km, so most phones that stay near need no geodesic.
    let degrees =
      abs(end.latitude.degrees - start.latitude.degrees)
      + abs(end.longitude.degrees - start.longitude.degrees)
    return degrees * 111_700 >= moved.metres && start.distance(to: end) >= moved
  }

  /// The nearest zones, if they differ from those that were sent last.
  private func fences(
    _ report: PhoneReport, _ request: PhoneRequest, _ outcome: IngestOutcome, _ device: Device
  ) -> OwnTracksFences? {
    guard let watched = outcome.watched, let position = outcome.position, !report.fixes.isEmpty else {
      return nil
    }
    for case .waypoints(let known) in report.messages {
      book.withLockedValue { $0.fences[device.id]?.known = known.compactMap(\.regionID) }
    }
    let last = book.withLockedValue { $0.fences[device.id] }
    if let last, last.revision == watched.revision, !Self.hasMoved(from: last.place, to: position.position) {
      return nil
    }
    let fences = OwnTracksFences(
      zones: watched.nearest(Self.candidates, to: position.position), near: position.position,
      speed: position.speed ?? .metresPerSecond(0),
      known: last?.known ?? [], platform: OwnTracksPlatform(userAgent: request.userAgent),
      defaultRadius: watched.defaultRadius)
    book.withLockedValue { book in
      if book.fences.count >= Self.remembered { book.fences.removeAll() }
      book.fences[device.id] = Fences(
        revision: watched.revision, place: position.position, sent: fences.hashValue, known: last?.known ?? []
      )
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
