import AlarmEngine
import Formats
import NIOConcurrencyHelpers
import Store

/// Finds the device that a request comes from: by its token, or by what it calls itself.
final class PhoneIdentification: Sendable {
  enum Answer: Sendable {
    case device(DeviceID)
    /// A token or password was given, and it is none of ours.
    case wrongCredentials
    /// As many unclaimed devices as may be are there; what it sent is kept without a device.
    case nobody
  }

  /// Of devices that nobody has claimed.
  static let unclaimedAtMost = 1000
  /// A token that was revoked is believed no longer than this.
  private static let believed = TimeSpan.seconds(2)
  private static let remembered = 200_000

  private struct Book {
    var devices: [DeviceIdentity: DeviceID] = [:]
    var tokens: [TokenHash: (token: DeviceToken, until: Instant)] = [:]
  }
  private let store: any ServerStore
  private let book = NIOLockedValueBox(Book())

  init(store: any ServerStore) { self.store = store }

  /// - Parameter endpoint: protocols whose address holds a token must have a good one; the others may have none.
  func device(
    _ claim: DeviceClaim, _ credentials: PhoneCredentials?, at endpoint: PhoneEndpoint, now: Instant
  ) async throws -> Answer {
    var secret = claim.token
    if secret == nil, case .basic(_, let password)? = credentials, !password.isEmpty { secret = password }
    var account: AccountID?
    if let secret {
      guard let token = try await token(secret, now: now) else { return .wrongCredentials }
      if let device = token.device { return .device(device) }
      account = token.account
    } else if endpoint.needsToken {
      return .wrongCredentials
    }
    let identity = DeviceIdentity(endpoint.scheme, Self.name(claim, endpoint), of: account)
    if let known = book.withLockedValue({ $0.devices[identity] }) { return .device(known) }
    let made = Device(
      account: account, name: claim.device ?? claim.user ?? identity.value,
      trackerID: String((claim.trackerID ?? "").prefix(2)), createdAt: now)
    do {
      let device = try await store.device(
        identifiedBy: identity, makingOne: made, unclaimedLimit: Self.unclaimedAtMost)
      book.withLockedValue { book in
        if book.devices.count >= Self.remembered { book.devices.removeAll() }
        book.devices[identity] = device.id
      }
      return .device(device.id)
    } catch {
      if case .tooMany = error { return .nobody }
      throw error
    }
  }

  /// What was known of devices may be otherwise now.
  func forget(_ device: DeviceID) {
    book.withLockedValue { book in
      book.devices = book.devices.filter { $0.value != device }
      book.tokens.removeAll()
    }
  }

  func forgetAll() { book.withLockedValue { $0 = Book() } }

  func token(_ secret: String, now: Instant) async throws -> DeviceToken? {
    let hash = Secrets.hash(secret)
    if let (token, until) = book.withLockedValue({ $0.tokens[hash] }), now < until { return token }
    guard let token = try await found({ try await store.token(hash, at: now) }) else { return nil }
    book.withLockedValue { book in
      if book.tokens.count >= Self.remembered { book.tokens.removeAll() }
      book.tokens[hash] = (token, now + Self.believed)
    }
    if token.lastUsedAt.map({ now - $0 >= .hours(1) }) ?? true { try await store.touch(token.id, at: now) }
    return token
  }

  /// "user/device" for OwnTracks; else what the protocol has.
  private static func name(_ claim: DeviceClaim, _ endpoint: PhoneEndpoint) -> String {
    let name: String
    switch endpoint.scheme {
    case .ownTracks: name = "\(claim.user ?? "owntracks")/\(claim.device ?? "phone")"
    case .overland: name = (claim.device ?? "overland") + (claim.uniqueID.map { "/\($0)" } ?? "")
    case .traccar, .path, .own: name = claim.device ?? claim.uniqueID ?? "phone"
    }
    return String(name.prefix(200))
  }
}

extension PhoneEndpoint {
  var scheme: DeviceIdentity.Scheme {
    switch self {
    case .owntracks, .logOwnTracks: .ownTracks
    case .overland, .logOverland: .overland
    case .traccar, .logTraccar: .traccar
    case .osmand, .gpslogger, .logGet, .logPost, .logPostMultiple, .logOsmAnd, .logGPSLogger, .logLocusMap,
      .logULogger, .logOpenGTS:
      .path
    }
  }

  /// Protocols without any credentials but the token in the address.
  var needsToken: Bool {
    switch self {
    case .owntracks, .overland, .traccar: false
    case .osmand, .gpslogger, .logGet, .logPost, .logPostMultiple, .logOsmAnd, .logGPSLogger, .logLocusMap,
      .logOwnTracks, .logOverland, .logTraccar, .logULogger, .logOpenGTS:
      true
    }
  }
}
