import AlarmEngine
import Foundation
import Geometry
import Logging
import Places
import Store

/// Searches for places: first in the imported file, then, if that has no match, at the service the operator
/// configured.
package struct PlaceFinder: Sendable {
  /// The imported places. Nil for a server without a folder.
  package let library: PlaceLibrary?
  /// The search service. Nil unless a setting names one.
  package let upstream: PlaceUpstream?

  package init(library: PlaceLibrary?, upstream: PlaceUpstream?) {
    self.library = library
    self.upstream = upstream
  }

  package struct Answer: Sendable {
    package var items: [FoundPlace] = []
    package var hasMore = false
    /// The attribution to show with the places; empty if there is none.
    package var attribution = ""
    /// The reason why nothing was found, and how to change that.
    package var hint: String?
  }

  static let nothingImported = "no places have been imported; `proximity places import` does that"

  static let moreWithAccount =
    "nothing found here; sign in to search the places service of this server as well"

  /// - Parameter asksUpstream: whether the service may be asked, if there is one.
  /// - Throws: `StoreError` if the file exists and cannot be read.
  package func find(
    _ query: PlaceQuery, asksUpstream: Bool, at now: Instant, logger: Logger
  ) async throws -> Answer {
    var answer = Answer()
    if let store = try library?.current() {
      let page = try await store.search(query)
      answer.attribution = store.about.attribution
      guard page.items.isEmpty, query.offset == 0 else {
        answer.items = page.items
        answer.hasMore = page.hasMore
        return answer
      }
    } else {
      answer.hint = Self.nothingImported
    }
    guard let upstream, query.words != nil, query.offset == 0 else { return answer }
    guard asksUpstream else {
      answer.hint = Self.moreWithAccount
      return answer
    }
    do {
      answer.items = try await upstream.find(query, at: now)
      answer.attribution = upstream.attribution
      answer.hint = nil
    } catch {
      // The search terms are private and are not logged.
      logger.info("the places service did not answer", metadata: ["error": "\(error.kind)"])
      answer.hint = error.hint
    }
    return answer
  }
}
