import AlarmEngine

/// The time from which an account's devices watched a zone set.
public struct ZoneSetChange: Hashable, Sendable {
  public let revision: Revision
  /// By the server's clock; never earlier than the time of the previous revision.
  public let at: Instant

  public init(revision: Revision, at: Instant) {
    self.revision = revision
    self.at = at
  }
}
