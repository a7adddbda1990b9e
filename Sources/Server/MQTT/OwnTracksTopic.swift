/// A topic under which an OwnTracks phone publishes: `owntracks/USER/DEVICE`, and perhaps a kind of message.
///
/// Read: the OwnTracks booklet, "JSON", "Topics in MQTT mode".
struct OwnTracksTopic: Hashable {
  let user: String
  let device: String

  /// What comes from phones under them; `cmd` and what friends are told is not among them.
  static let filters = ["owntracks/+/+", "owntracks/+/+/+"]
  /// Messages of phones beside their places and last wills, which have no level of their own.
  private static let kinds: Set<Substring> = [
    "event", "waypoint", "waypoints", "status", "step", "steps", "beacon", "dump", "request",
  ]

  /// - Returns: nil for a topic under which no phone tells anything.
  init?(_ topic: String) {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard (3...4).contains(levels.count), levels[0] == "owntracks",
      levels.count == 3 || Self.kinds.contains(levels[3])
    else { return nil }
    self.init(user: String(levels[1]), device: String(levels[2]))
  }

  /// - Returns: nil where one of both is no level of a topic: empty, more than 200 bytes, or with `/`, `+`, `#` in it.
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

  /// Where the phone listens for commands.
  var commands: String { "owntracks/\(user)/\(device)/cmd" }
  /// As an MQTT identity has it.
  var name: String { "\(user)/\(device)" }
}
