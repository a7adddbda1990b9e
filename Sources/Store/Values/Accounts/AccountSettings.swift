/// The settings that a person has saved, as JSON. The server defines their format.
public struct AccountSettings: Hashable, Sendable {
  public let json: String
  /// 0 when nothing was saved yet.
  public let revision: Revision

  public init(json: String, revision: Revision) {
    self.json = json
    self.revision = revision
  }
}
