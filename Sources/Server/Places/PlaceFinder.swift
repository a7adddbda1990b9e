import AlarmEngine
import Foundation
import Geometry
import Logging
import Store

/// Looks for places: in the file that an import made, and where that has nothing, at the service the operator named.
struct PlaceFinder: Sendable {
  /// Nil for a server without a folder.
  let library: PlaceLibrary?
  /// Nil unless a setting names one.
  let upstream: PlaceUpstream?

  struct Answer: Sendable {
    var items: [FoundPlace] = []
    var hasMore = false
    /// Whom to name beside them; empty where there is nobody.
    var attribution = ""
    /// Why there is nothing, and what would change that.
    var hint: String?
  }

  static let nothingImported = "no places have been imported; `proximity places import` does that"

  /// - Throws: `StoreError` where the file is there and cannot be read.
  func find(_ query: PlaceQuery, at now: Instant, logger: Logger) async throws -> Answer {
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
    do {
      answer.items = try await upstream.find(query, at: now)
      answer.attribution = upstream.attribution
      answer.hint = nil
    } catch {
      // What was looked for is nobody's business, not even the log's.
      logger.info("the places service did not answer", metadata: ["error": "\(error.kind)"])
      answer.hint = error.hint
    }
    return answer
  }
}
