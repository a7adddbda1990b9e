/// The OwnTracks phones of the account: an alarm is put into the reply to a phone's next post.
public struct OwnTracksTarget: Hashable, Sendable, CustomStringConvertible {
  /// Two characters that identify the phone in OwnTracks, such as "AN".
  public let trackerID: String

  /// Reads `{"tid":"AN"}`.
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    let text = try fields.text("tid", limit: 8) ?? "PA"
    guard (1...2).contains(text.count) else {
      throw ConfigurationError(field: "tid", given: "\(text.count) characters", allowed: "1 or 2 characters")
    }
    trackerID = text
  }

  public var description: String { "OwnTracks" }
}
