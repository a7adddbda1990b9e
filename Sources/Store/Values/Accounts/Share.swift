import AlarmEngine

/// What a person lets somebody else see of one of their devices. Either side ends it at once.
public struct Share: Hashable, Sendable {
  /// How much is seen.
  public enum Precision: Int64, Sendable, CaseIterable {
    /// Where the device is, and when that was measured.
    case place = 1
    /// Which of the owner's zones it is in, by name, and no position.
    case zones
    /// For a while nothing but that there is something to see at other times.
    case nothing
  }

  public enum Receiver: Hashable, Sendable {
    /// Whoever signs in with that login, and accepts it.
    case person(login: String)
    /// Whoever has the link; nobody signs in.
    case link(TokenHash)
  }

  public let id: ShareID
  public let owner: AccountID
  public let device: DeviceID
  public let receiver: Receiver
  /// The person who accepted it.
  public internal(set) var viewer: AccountID?
  /// For the owner's list.
  public let name: String
  public var precision: Precision
  public let createdAt: Instant
  /// Nobody sees anything from then on; nil for a person's: until one of the two ends it.
  public var endsAt: Instant?
  /// It ends when the device is in this zone of the owner's.
  public var endsIn: ZoneID?
  /// Positions that were measured until then are known to lie outside of `endsIn`.
  public internal(set) var lookedTo: Instant?

  public init(
    id: ShareID = .random(), owner: AccountID, device: DeviceID, receiver: Receiver, name: String,
    precision: Precision, createdAt: Instant, endsAt: Instant?, endsIn: ZoneID? = nil
  ) {
    self.id = id
    self.owner = owner
    self.device = device
    self.receiver = receiver
    self.name = name
    self.precision = precision
    self.createdAt = createdAt
    self.endsAt = endsAt
    self.endsIn = endsIn
  }

  /// Of one account.
  public static let most = 200
  /// An offer that was not accepted by then is none.
  public static let offerLasts = TimeSpan.hours(30 * 24)
}

/// A share as the one who may see sees it.
public struct ReceivedShare: Hashable, Sendable {
  public let share: Share
  public let ownerName: String
  public let ownerLogin: String
  public let deviceName: String

  public init(share: Share, ownerName: String, ownerLogin: String, deviceName: String) {
    self.share = share
    self.ownerName = ownerName
    self.ownerLogin = ownerLogin
    self.deviceName = deviceName
  }
}
