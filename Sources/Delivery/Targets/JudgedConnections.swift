import AsyncHTTPClient
import NIOConcurrencyHelpers

/// Connections to hosts at addresses that have been judged: each pair has a client that looks nothing up itself. TLS
/// still asks for, and checks, the host's name.
///
/// Clients are kept for the next message to the same place, so that a push service with many subscribers is connected to
/// once. Those that nobody uses go when there are more than `most`.
final class JudgedConnections: Sendable {
  private struct Place: Hashable {
    let host: String
    let address: NetworkAddress
  }
  private struct Entry {
    let client: HTTPClient
    var users = 0
    /// Counts up with each use.
    var lastUse = 0
  }
  private struct Book {
    var entries: [Place: Entry] = [:]
    var uses = 0
  }

  package static let most = 32
  private let configuration: HTTPClient.Configuration
  private let book = NIOLockedValueBox(Book())

  init(_ configuration: HTTPClient.Configuration) { self.configuration = configuration }

  package func with<Value>(
    host: String, at address: NetworkAddress,
    _ body: (HTTPClient) async throws(DeliveryFailure) -> Value
  ) async throws(DeliveryFailure) -> Value {
    let place = Place(host: host, address: address)
    let client = take(place)
    let result: Result<Value, DeliveryFailure>
    do throws(DeliveryFailure) { result = .success(try await body(client)) } catch {
      result = .failure(error)
    }
    for idle in giveBack(place) { try? await idle.shutdown() }
    return try result.get()
  }

  package var count: Int { book.withLockedValue { $0.entries.count } }

  private func take(_ place: Place) -> HTTPClient {
    book.withLockedValue { book in
      book.uses += 1
      var entry = book.entries[place] ?? Entry(client: client(for: place))
      entry.users += 1
      entry.lastUse = book.uses
      book.entries[place] = entry
      return entry.client
    }
  }

  private func client(for place: Place) -> HTTPClient {
    var configuration = configuration
    let address = place.address.description
    configuration.dnsOverride[place.host] = address
    configuration.dnsOverride[place.host.lowercased()] = address
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// - Returns: clients that are to be shut down.
  private func giveBack(_ place: Place) -> [HTTPClient] {
    book.withLockedValue { book in
      book.entries[place]?.users -= 1
      var gone: [HTTPClient] = []
      while book.entries.count > Self.most,
        let oldest = book.entries.filter({ $0.value.users == 0 }).min(by: {
          $0.value.lastUse < $1.value.lastUse
        })
      {
        book.entries[oldest.key] = nil
        gone.append(oldest.value.client)
      }
      return gone
    }
  }

  package func shutdown() async throws {
    let all = book.withLockedValue { book in
      defer { book.entries = [:] }
      return book.entries.values.map(\.client)
    }
    for client in all { try await client.shutdown() }
  }
}
