import AlarmEngine

/// A person's permission for another to see one of their devices. Either side can end it at any time.
public struct Share: Hashable, Sendable {
  /// How much the receiver sees.
  public enum Precision: Int64, Sendable, CaseIterable {
    /// The device's position and when it was measured.
    case place = 1
    /// The names of the owner's zones that the device is in, without a position.
    case zones
    /// Nothing but the existence of the share: a pause.
    case nothing
  }

  public enum Receiver: Hashable, Sendable {
    /// The person with that login, after accepting. Without an end, it lasts until one of the two ends it.
    case person(login: String, until: Instant?)
    /// Anybody with the link, without signing in. A link always has an end.
    case link(TokenHash, until: Instant)
  }

  public let id: ShareID
  public let owner: AccountID
  public let device: DeviceID
  /// The receiver, and when the share ends.
  public var receiver: Receiver
  /// The account of the person who accepted it.
  public internal(set) var viewer: AccountID?
  /// The name shown in the owner's list.
  public let name: String
  public var precision: Precision
  public let createdAt: Instant
  /// The owner's zone that ends the share when the device is in it.
  public var endsIn: ZoneID?
  /// The time through which all positions are known to lie outside `endsIn`.
  public internal(set) var lookedTo: Instant?

  public init(
    id: ShareID = .random(), owner: AccountID, device: DeviceID, receiver: Receiver, name: String,
    precision: Precision, createdAt: Instant, endsIn: ZoneID? = nil
  ) {
    self.id = id
    self.owner = owner
    self.device = device
    self.receiver = receiver
    self.name = name
    self.precision = precision
    self.createdAt = createdAt
    self.endsIn = endsIn
  }

  public var endsAt: Instant? {
    switch receiver {
    case .person(_, let end): end
    case .link(_, let end): end
    }
  }

  /// The most shares of one account.
  public static let most = 200
  /// The time after which an offer that was not accepted expires.
  public static let offerLasts = TimeSpan.hours(30 * 24)
}

/// A share as its receiver sees it.
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
