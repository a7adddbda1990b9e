import AlarmEngine
import Formats
import Foundation
import GRDB
import Geometry
import Store
import Synchronization

/// The places of a country or two in a separate SQLite file, read only; `PlaceBuilder` writes it.
///
/// It is separate from the accounts' store: an import of seconds blocks no account, and a server without map
/// data has no file.
public final class PlaceStore: Sendable {
  public struct About: Equatable, Sendable {
    /// The credit to show with results, required by the licence of the data.
    public let attribution: String
    public let importedAt: Instant
    public let places: Int
  }

  public let about: About
  /// Independent connections, so that a slow search delays only some of the others.
  private let readers: [DatabaseQueue]
  private let turn = Atomic<Int>(0)

  /// - Throws: `.cannotOpen`, `.foreignFile`, `.newerSchema`, `.corrupted`.
  public init(path: String, readers count: Int = 3) throws(StoreError) {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "places"
    configuration.publicStatementArguments = false
    do {
      var readers: [DatabaseQueue] = []
      for _ in 0..<max(1, count) {
        readers.append(try DatabaseQueue(path: path, configuration: configuration))
      }
      about = try readers[0].read { database in
        try PlaceSchema.check(database)
        guard
          let row = try Row.fetchOne(database, sql: "SELECT attribution, imported_at_ms, places FROM about")
        else { throw StoreError.corrupted(detail: "places.sqlite says nothing about itself") }
        return About(attribution: row[0], importedAt: row.instant(1), places: row[2])
      }
      self.readers = readers
    } catch { throw StoreError(error, path: path) }
  }

  /// Returns places by distance if `near` is given, else by relevance to the words.
  public func search(_ query: PlaceQuery) async throws(StoreError) -> PlacePage {
    try await search(query, limits: PlaceSearch.Limits())
  }

  func search(_ query: PlaceQuery, limits: PlaceSearch.Limits) async throws(StoreError) -> PlacePage {
    do {
      return try await nextReader.read { try PlaceSearch(database: $0, limits: limits).page(query) }
    } catch { throw StoreError(error) }
  }

  /// Searches synchronously, for a command, whose thread has nothing else to do.
  public func searchAndWait(_ query: PlaceQuery) throws(StoreError) -> PlacePage {
    do { return try nextReader.read { try PlaceSearch(database: $0).page(query) } } catch {
      throw StoreError(error)
    }
  }

  private var nextReader: DatabaseQueue {
    readers[Int(turn.add(1, ordering: .relaxed).newValue.magnitude % UInt(readers.count))]
  }
}
