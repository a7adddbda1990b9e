/// The kinds of channels, by the names used in the API and in the database.
public enum ChannelKind: String, CaseIterable, Hashable, Sendable {
  case webPush = "web_push"
  case ntfy
  case webhook
  case mail
  case ownTracks = "owntracks"
  case homeAssistant = "home_assistant"
  case apns
}
