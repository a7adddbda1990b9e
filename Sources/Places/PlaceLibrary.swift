import Foundation
import NIOConcurrencyHelpers
import Store

/// The places of a folder as they are now: a file that an import has swapped in is opened at the next search.
public final class PlaceLibrary: Sendable {
  /// In the server's folder.
  public static let fileName = "places.sqlite"

  private struct Identity: Equatable {
    let number: UInt64
    let size: UInt64
    let modified: Date
  }

  private let path: String
  private let opened = NIOLockedValueBox<(identity: Identity, store: PlaceStore)?>(nil)

  public init(folder: String) { path = folder + "/" + Self.fileName }

  /// Nil where nothing has been imported.
  /// - Throws: what `PlaceStore` does, for a file that is no such store.
  public func current() throws(StoreError) -> PlaceStore? {
    guard let identity = Self.identity(path) else {
      opened.withLockedValue { $0 = nil }
      return nil
    }
    if let known = opened.withLockedValue({ $0?.identity == identity ? $0?.store : nil }) { return known }
    let store = try PlaceStore(path: path)
    // Two may come here at once; either store is good. A search that is under way keeps the one it has.
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
