import AlarmEngine

/// What became of a batch.
public struct IngestReceipt: Hashable, Sendable {
  /// Fixes that were not there before.
  public let newFixes: Int
  /// The last entry of the change feed.
  public let cursor: ChangeCursor

  public init(newFixes: Int, cursor: ChangeCursor) {
    self.newFixes = newFixes
    self.cursor = cursor
  }
}
