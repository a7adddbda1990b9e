import Foundation
import NIOConcurrencyHelpers
import Store

/// The current places of a folder: a file replaced by an import is opened at the next search.
public final class PlaceLibrary: Sendable {
  /// The file's name in the server's folder.
  public static let fileName = "places.sqlite"

  private struct Identity: Equatable {
    let number: UInt64
    let size: UInt64
    let modified: Date
  }

  private let path: String
  private let opened = NIOLockedValueBox<(identity: Identity, store: PlaceStore)?>(nil)

  public init(folder: String) { path = folder + "/" + Self.fileName }

  /// Returns the current store; nil if nothing has been imported.
  /// - Throws: the errors of `PlaceStore`, for a file that is no such store.
  public func current() throws(StoreError) -> PlaceStore? {
    guard let identity = Self.identity(path) else {
      opened.withLockedValue { $0 = nil }
      return nil
    }
    if let known = opened.withLockedValue({ $0?.identity == identity ? $0?.store : nil }) { return known }
    let store = try PlaceStore(path: path)
    // Two threads may do this at once; either store is valid. A running search keeps its own.
    opened.withLockedValue { $0 = (identity, store) }
    return store
  }

  private static func identity(_ path: String) -> Identity? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    return Identity(
      number: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
      size: (attributes[.size] as? NSNumber)?.uint64Value ?? 0,
      modified: attributes[.modificationDate] as? Date ?? .distantPast)
  }
}
