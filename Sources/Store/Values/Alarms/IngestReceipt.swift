import AlarmEngine

/// The result of writing a batch.
public struct IngestReceipt: Hashable, Sendable {
  /// The number of fixes that were not stored before.
  public let newFixes: Int
  /// Devices of the batch that no longer exist. Their data was left out.
  public let gone: Set<DeviceID>

  public init(newFixes: Int, gone: Set<DeviceID> = []) {
    self.newFixes = newFixes
    self.gone = gone
  }
}
