/// A topic on which an OwnTracks phone publishes: `owntracks/USER/DEVICE`, optionally with a kind of message.
///
/// Source: the OwnTracks booklet, "JSON", "Topics in MQTT mode".
struct OwnTracksTopic: Hashable {
  let user: String
  let device: String

  /// The topics of messages from phones; `init` refuses `cmd` and the messages about friends, which the
  /// second filter matches as well.
  static let filters = ["owntracks/+/+", "owntracks/+/+/+"]
  /// The kinds of messages with a level of their own. Positions and last wills have none.
  private static let kinds: Set<Substring> = [
    "event", "waypoint", "waypoints", "status", "step", "steps", "beacon", "dump", "request",
  ]

  /// - Returns: nil for a topic on which no phone publishes.
  init?(_ topic: String) {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard (3...4).contains(levels.count), levels[0] == "owntracks",
      levels.count == 3 || Self.kinds.contains(levels[3])
    else { return nil }
    self.init(user: String(levels[1]), device: String(levels[2]))
  }

  /// - Returns: nil if one of them cannot be a level of a topic: empty, more than 200 bytes, or with `/`,
  ///   `+`, `#` in it.
  init?(user: String, device: String) {
    for level in [user, device] {
      guard (1...200).contains(level.utf8.count), !level.utf8.contains(where: { "/+#\0".utf8.contains($0) })
      else {
        return nil
      }
    }
    self.user = user
    self.device = device
  }

  /// The topic of the commands to the phone.
  var commands: String { "owntracks/\(user)/\(device)/cmd" }
  /// The value of the phone's MQTT identity.
  var name: String { "\(user)/\(device)" }
}
