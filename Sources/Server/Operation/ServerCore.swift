import AlarmService
import Foundation
import Logging
import Store

/// The store with its clock, settings, log and figures. All other parts of the server are built on it.
public struct ServerCore: Sendable {
  public let settings: ServerSettings
  public let store: SQLStore
  public let clock: ServerClock
  public let hub: EventHub
  public let metrics: Metrics
  public let logger: Logger
  let health: StoreHealth

  /// The server's public address, without a slash at the end; nil if no setting states it.
  var baseURL: String? { settings.publicURL?.absoluteString }

  /// The free bytes on the disk of the data; nil if unknown.
  func freeBytes() -> Int64? {
    guard let folder = settings.dataFolder else { return nil }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }
}
