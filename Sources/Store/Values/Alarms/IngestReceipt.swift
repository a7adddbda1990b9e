import AlarmEngine

/// What became of a batch.
public struct IngestReceipt: Hashable, Sendable {
  /// Fixes that were not there before.
  public let newFixes: Int
  /// Devices of the batch that do not exist any more: what concerned them was left out.
  public let gone: Set<DeviceID>

  public init(newFixes: Int, gone: Set<DeviceID> = []) {
    self.newFixes = newFixes
    self.gone = gone
  }
}
