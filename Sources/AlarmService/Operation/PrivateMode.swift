import AlarmEngine
import Store

/// Makes an account private: its places on the server are erased, and no new ones are stored.
package enum PrivateMode {
  private static let rowsAtOnce = 1000

  /// The server has places of the account, and their erasure was not confirmed.
  package struct PlacesStored: Error, Equatable {
    package let stored: StoredPlaces
  }

  /// Turns private mode on. Reports are refused from then on. Stored places are erased after that, in steps,
  /// so that no other request is blocked.
  /// - Parameter erasing: if false, an account that has places stored stays as it is.
  /// - Returns: the places that were erased.
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

  /// Erases the account's places, including the rest of an erasure that was interrupted.
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
  /// A text such as "3 zones, 1 alarm", without kinds that have none.
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
