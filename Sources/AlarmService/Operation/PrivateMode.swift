import AlarmEngine
import Store

/// Turning an account private: what the server has of its places goes, and nothing new comes.
package enum PrivateMode {
  private static let rowsAtOnce = 1000

  /// The server has places of the account, and nobody has said that they are to be erased.
  package struct PlacesStored: Error, Equatable {
    package let stored: StoredPlaces
  }

  /// Turns it on. From then on nothing is taken; only then is erased what was there, in steps, so that nobody waits for it.
  /// - Parameter erasing: without it an account that has places stored stays as it is.
  /// - Returns: what was erased.
  /// - Throws: `PlacesStored`, `StoreError`.
  package static func turnOn(
    for account: AccountID, erasing: Bool, _ store: SQLStore, at now: Instant
  ) async throws -> StoredPlaces {
    if !erasing {
      let stored = try await store.storedPlaces(of: account)
      guard stored.total == 0 else { throw PlacesStored(stored: stored) }
    }
    try await store.setPrivate(true, account, at: now)
    return try await erase(account, store)
  }

  /// Erases what there is; of an account whose erasure was broken off, the rest.
  package static func erase(
    _ account: AccountID, _ store: SQLStore
  ) async throws(StoreError) -> StoredPlaces {
    var all = StoredPlaces()
    while true {
      let erased = try await store.erasePlaces(of: account, limit: rowsAtOnce)
      all += erased
      guard erased.total > 0 else { break }
      await Task.yield()
    }
    if all.total > 0 { try await store.forgetErased() }
    return all
  }
}

extension StoredPlaces {
  /// "3 zones, 1 alarm"; what there is none of is left out.
  package var words: String {
    let parts = [
      (positions, "position", "positions"), (zones, "zone", "zones"), (reminders, "reminder", "reminders"),
      (alarms, "alarm", "alarms"), (collections, "collection", "collections"), (shares, "share", "shares"),
      (others, "other record", "other records"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { count, one, many in "\(count) \(count == 1 ? one : many)" }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }
}
