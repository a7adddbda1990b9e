import AlarmEngine

/// A change: something in an account was added, edited or deleted. The feed holds each thing once, at its
/// last change.
public struct ChangeEntry: Hashable, Sendable {
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    case account = 1
    case settings
    case device
    case zone
    case collection
    /// A followed collection, or one of its zones.
    case follow
    case channel
    case message
    case sound
    case reminder
    case alarm
    case notice
    /// A sealed message, a key, or an agreement to exchange messages.
    case sealed
    /// The account's check-in; the id is the account's.
    case checkIn
    case expectedArrival
  }
  public let cursor: ChangeCursor
  public let kind: Kind
  /// The raw value of the id.
  public let id: UInt64
  public let isDeleted: Bool
  public let changedAt: Instant

  public init(cursor: ChangeCursor, kind: Kind, id: UInt64, isDeleted: Bool, changedAt: Instant) {
    self.cursor = cursor
    self.kind = kind
    self.id = id
    self.isDeleted = isDeleted
    self.changedAt = changedAt
  }
}
