/// The kinds of channels, by the names used in the API, in the database and in exports.
public enum ChannelKind: String, CaseIterable, Hashable, Sendable {
  case webPush = "web_push"
  case ntfy
  case webhook
  case mail
  case ownTracks = "owntracks"
  case homeAssistant = "home_assistant"
  case apns
  case gotify
  case telegram
  case pushover
  case matrix
  case apprise
  /// Text messages and calls, through a gateway that the user runs.
  case gateway
  /// The account's topics on the operator's MQTT broker.
  case mqtt
}
