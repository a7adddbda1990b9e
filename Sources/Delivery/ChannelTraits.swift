import Store

/// The differences between kinds of channels that decide what is sent to them.
package struct ChannelTraits: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Repeats are sent to the channel. Mails every ten seconds would not help, calls and text messages cost
  /// money, Pushover repeats by itself, and OwnTracks gets alarms in the answers to the phone's own posts.
  package static let repeats = Self(rawValue: 1)
  /// The channel is notified that an alarm ended. Programs are; on people's screens the notification is removed
  /// instead.
  package static let tellsClearing = Self(rawValue: 2)
  /// The channel can show notices. OwnTracks has no message for them, and calls are not made for them.
  package static let showsNotices = Self(rawValue: 4)
  /// The channel shows a notification on a person's device at once, so it can tell that a sealed message waits.
  package static let showsAtOnce = Self(rawValue: 8)
  /// The channel sends to an address that a person typed. The others use only the operator's own servers, or
  /// send nothing.
  package static let usesGivenAddress = Self(rawValue: 16)
  /// The channel leads to a device on which the person is signed in.
  package static let isOwnDevice = Self(rawValue: 32)
}

extension ChannelKind {
  package var traits: ChannelTraits {
    switch self {
    case .webPush: [.repeats, .showsNotices, .showsAtOnce, .usesGivenAddress, .isOwnDevice]
    case .ntfy, .gotify: [.repeats, .showsNotices, .showsAtOnce, .usesGivenAddress]
    case .apns: [.repeats, .showsNotices, .showsAtOnce, .isOwnDevice]
    case .webhook, .homeAssistant: [.repeats, .tellsClearing, .showsNotices, .usesGivenAddress]
    case .mqtt: [.repeats, .tellsClearing, .showsNotices]
    case .telegram, .matrix: [.repeats, .showsNotices, .usesGivenAddress]
    case .pushover: [.showsNotices, .showsAtOnce, .usesGivenAddress]
    case .apprise: [.showsNotices, .usesGivenAddress]
    case .mail: [.showsNotices]
    case .gateway: [.usesGivenAddress]
    case .ownTracks: []
    }
  }
}
