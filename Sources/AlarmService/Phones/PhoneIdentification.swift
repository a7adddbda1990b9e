import AlarmEngine
import Formats
import NIOConcurrencyHelpers
import Store

/// Finds the device that a request comes from, by its token or by the name under which it reports.
package final class PhoneIdentification: Sendable {
  package enum Answer: Sendable {
    /// - isProven: whether a valid token was given. If not, anyone who knows the device's name could have
    ///   sent the request.
    case device(DeviceID, isProven: Bool)
    /// The token or password is not valid, or one is needed and none was given.
    case wrongCredentials
    /// Too many unclaimed devices were made from this address, or the account has its maximum of devices. No
    /// more are made for some seconds.
    case tooMany(seconds: Int)
  }

  /// The most unclaimed devices.
  package static let unclaimedAtMost = 1000
  /// The longest time for which a revoked token is still accepted.
  private static let believed = TimeSpan.seconds(2)
  private static let remembered = 200_000
  /// The time after which a phone tries again to become a device of an account that has too many, and the
  /// owner is notified again.
  private static let fullFor = TimeSpan.hours(1)
  /// The most tokens in the cache.
  private static let believedAtMost = 20_000

  private struct Book {
    var devices: [DeviceIdentity: DeviceID] = [:]
    var tokens: [TokenHash: (token: DeviceToken, until: Instant)] = [:]
    /// The time when an account was last recorded as having too many devices.
    var full: [AccountID: Instant] = [:]
  }
  private let store: SQLStore
  private let takesUnclaimed: Bool
  private let book = NIOLockedValueBox(Book())

  package init(store: SQLStore, takesUnclaimed: Bool) {
    self.store = store
    self.takesUnclaimed = takesUnclaimed
  }

  /// - Parameters:
  ///   - endpoint: protocols with a token in the address need a valid one; the others may have none.
  ///   - unclaimed: called before an unclaimed device is made. It returns nil to allow that, or the seconds
  ///     to wait. If the function itself is nil, no such device is made.
  package func device(
    _ claim: DeviceClaim, _ credentials: PhoneCredentials?, at endpoint: PhoneEndpoint, now: Instant,
    unclaimed: (() -> Int?)?
  ) async throws -> Answer {
    var claim = claim
    let secret = Self.secret(claim, credentials, endpoint)
    var account: AccountID?
    var tokenName = ""
    if let secret {
      guard let token = try await token(secret, now: now) else { return .wrongCredentials }
      if let device = token.device { return .device(device, isProven: true) }
      account = token.account
      tokenName = token.name
      if claim.device == secret { claim.device = nil }
    } else if endpoint.needsToken {
      return .wrongCredentials
    }
    let identity = DeviceIdentity(endpoint.scheme, Self.name(claim, endpoint), of: account)
    if let known = book.withLockedValue({ $0.devices[identity] }) {
      return .device(known, isProven: account != nil)
    }
    if account == nil {
      switch try await store.find(identity) {
      case .device(let device):
        remember(identity, device.id)
        return .device(device.id, isProven: false)
      // The phone lost its token, or another one uses its name. The report belongs to no device until that is
      // proven.
      case .needsProof: return .wrongCredentials
      case .unknown:
        guard takesUnclaimed, let unclaimed else { return .wrongCredentials }
        // A phone that names a private account's login is treated as that account's, and not stored as
        // unclaimed.
        if let user = claim.user, let named = try await found({ try await store.account(login: user) }),
          named.isPrivate
        {
          throw StoreError.privateAccount
        }
        if let seconds = unclaimed() { return .tooMany(seconds: seconds) }
      }
    }
    let made = Device(
      account: account, name: claim.device ?? claim.user ?? identity.value,
      trackerID: String((claim.trackerID ?? "").prefix(2)), createdAt: now)
    let device: Device
    do throws(StoreError) {
      device = try await store.device(
        identifiedBy: identity, makingOne: made, unclaimedLimit: Self.unclaimedAtMost)
    } catch {
      guard case .tooMany(let allowed) = error, let account else { throw error }
      try await noteFull(account, made.name, tokenName, allowed, at: now)
      return .tooMany(seconds: Int(Self.fullFor.seconds))
    }
    remember(identity, device.id)
    return .device(device.id, isProven: account != nil)
  }

  /// Records in the audit log, at intervals, that a phone of the owner was refused.
  private func noteFull(
    _ account: AccountID, _ name: String, _ token: String, _ allowed: Int, at now: Instant
  ) async throws {
    let isNews = book.withLockedValue { book in
      if let noted = book.full[account], now - noted < Self.fullFor { return false }
      if book.full.count >= Self.believedAtMost { book.full.removeAll() }
      book.full[account] = now
      return true
    }
    guard isNews else { return }
    try await store.note(
      AuditEntry(
        account: account, at: now, action: "createDevice", subject: "\(name) (\(allowed) are there)",
        isRefused: true, actor: .token(name: token)))
  }

  /// Returns the token of a report, from its address or its header. Traccar's clients can send neither; our
  /// set-up link gives them the token as the device's identifier.
  package static func secret(
    _ claim: DeviceClaim, _ credentials: PhoneCredentials?, _ endpoint: PhoneEndpoint
  ) -> String? {
    if let secret = claim.token ?? credentials?.secret { return secret }
    guard endpoint.scheme == .traccar, let identifier = claim.device, Secrets.isLikelyOne(identifier) else {
      return nil
    }
    return identifier
  }

  /// Returns the device that publishes under `owntracks/USER/NAME`: the one with that MQTT identity, or else
  /// the one with that name in the account whose login is exactly the user. No device is ever made.
  ///
  /// A login is chosen freely, so it proves nothing about the broker's user of that name. Unless the owner is
  /// an administrator, the message must be encrypted with the device's key.
  package func device(publishingAs user: String, _ name: String) async throws -> DeviceID? {
    let identity = DeviceIdentity(.mqtt, "\(user)/\(name)", of: nil)
    if let known = book.withLockedValue({ $0.devices[identity] }) { return known }
    if case .device(let device) = try await store.find(identity) {
      remember(identity, device.id)
      return device.id
    }
    guard let account = try await found({ try await store.account(login: user) }), !account.isDisabled,
      account.login == user
    else { return nil }
    // If two devices have the same name, neither is chosen.
    let named = try await store.devices(of: account.id).filter { $0.name == name }
    return named.count == 1 ? named[0].id : nil
  }

  private func remember(_ identity: DeviceIdentity, _ device: DeviceID) {
    book.withLockedValue { book in
      if book.devices.count >= Self.remembered { book.devices.removeAll() }
      book.devices[identity] = device
    }
  }

  /// Forgets what is cached about devices, because it may have changed.
  package func forget(_ device: DeviceID) {
    book.withLockedValue { book in
      book.devices = book.devices.filter { $0.value != device }
      book.tokens.removeAll()
    }
  }

  /// Forgets the cached data of accounts, and all cached unclaimed devices: any of those may have been
  /// claimed.
  package func forget(_ accounts: Set<AccountID>) {
    book.withLockedValue { book in
      book.devices = book.devices.filter { $0.key.account.map { !accounts.contains($0) } ?? false }
      book.tokens = book.tokens.filter { !accounts.contains($0.value.token.account) }
    }
  }

  package func forgetAll() { book.withLockedValue { $0 = Book() } }

  package func token(_ secret: String, now: Instant) async throws -> DeviceToken? {
    let hash = Secrets.hash(secret)
    if let (token, until) = book.withLockedValue({ $0.tokens[hash] }), now < until,
      until - now <= Self.believed
    {
      return token
    }
    guard let token = try await found({ try await store.token(hash, at: now) }), token.scope != .read
    else { return nil }
    book.withLockedValue { book in
      if book.tokens.count >= Self.believedAtMost {
        book.tokens = book.tokens.filter { now < $0.value.until }
        if book.tokens.count >= Self.believedAtMost { book.tokens.removeAll() }
      }
      book.tokens[hash] = (token, now + Self.believed)
    }
    if token.lastUsedAt.map({ now - $0 >= .hours(1) }) ?? true { try await store.touch(token.id, at: now) }
    return token
  }

  /// The name under which the device reports: "user/device" for OwnTracks, otherwise the identifier of the
  /// protocol.
  private static func name(_ claim: DeviceClaim, _ endpoint: PhoneEndpoint) -> String {
    let name: String
    switch endpoint.scheme {
    case .ownTracks: name = "\(claim.user ?? "owntracks")/\(claim.device ?? "phone")"
    case .overland: name = (claim.device ?? "overland") + (claim.uniqueID.map { "/\($0)" } ?? "")
    case .traccar, .path, .own, .mqtt: name = claim.device ?? claim.uniqueID ?? "phone"
    }
    return String(name.prefix(200))
  }
}

extension PhoneEndpoint {
  package var scheme: DeviceIdentity.Scheme {
    switch self {
    case .owntracks, .logOwnTracks: .ownTracks
    case .overland, .logOverland: .overland
    case .traccar, .logTraccar: .traccar
    case .osmand, .gpslogger, .logGet, .logPost, .logPostMultiple, .logOsmAnd, .logGPSLogger, .logLocusMap,
      .logULogger, .logOpenGTS:
      .path
    }
  }

  /// Protocols whose only credentials are the token in the address.
  var needsToken: Bool {
    switch self {
    case .owntracks, .overland, .traccar: false
    case .osmand, .gpslogger, .logGet, .logPost, .logPostMultiple, .logOsmAnd, .logGPSLogger, .logLocusMap,
      .logOwnTracks, .logOverland, .logTraccar, .logULogger, .logOpenGTS:
      true
    }
  }
}
