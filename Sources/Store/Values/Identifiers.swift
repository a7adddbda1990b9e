/// Names an account: a person's login, which owns everything.
public struct AccountID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a browser session.
public struct SessionID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a device token; it is not the token.
public struct DeviceTokenID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a collection of zones.
public struct CollectionID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a channel, to which alarms of an account go.
public struct ChannelID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a reusable message.
public struct MessageID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a sound.
public struct SoundID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names what somebody may see of a device.
public struct ShareID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a public key to which messages are sealed: one browser or app of an account.
public struct SealedKeyID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a group of people.
public struct GroupID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names an agreement to exchange sealed messages.
public struct SealedContactID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a person's place in a group, or an invitation to it.
public struct GroupMemberID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names a sealed message.
public struct SealedMessageID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names the right of a person to answer somebody else's alarms.
public struct DeputyID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names the right of a person to follow a collection.
public struct MembershipID: StoreID {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
