import AlarmEngine
import Delivery
import Formats
import Foundation
import Geometry
import NIOConcurrencyHelpers
import NIOHTTP1
import Places
import Store

/// A search service with the API of Nominatim (nominatim.org/release-docs/latest/api/Search).
///
/// The whole server sends at most one request a second, as the usage policy of the public service requires.
/// Answers are kept for a day. Off unless the operator names a service, since search terms leave the server.
package final class PlaceUpstream: Sendable {
  package enum Failure: Error, Equatable {
    /// Another request was sent within the second.
    case busy
    case failed(String)

    package var kind: String {
      switch self {
      case .busy: "busy"
      case .failed(let reason): reason
      }
    }
    package var hint: String {
      switch self {
      case .busy: "the places service takes one search a second; ask again"
      case .failed: "the places service does not answer"
      }
    }
  }

  private struct Kept {
    let places: [Place]
    let at: Instant
  }

  static let keptFor = TimeSpan.hours(24)
  static let mostKept = 500
  static let pause = TimeSpan.seconds(1)
  /// The size limit of an answer, in bytes: enough for a hundred places with all their names.
  static let maximumAnswer = 1 << 20

  package let attribution: String
  private let url: String
  /// The operator's address, which the public service asks for; nil leaves it out.
  private let email: String?
  private let http: DeliveryHTTP
  private let cache = NIOLockedValueBox<[String: Kept]>([:])
  private let lastSent = NIOLockedValueBox<Instant?>(nil)

  /// - Parameters:
  ///   - url: the service's address, without "/search".
  ///   - contact: the operator's, mailto: or https:.
  ///   - http: the client; tests pass their own.
  package init(url: URL, contact: String, http: DeliveryHTTP? = nil) {
    let text = url.absoluteString
    self.url = text.hasSuffix("/") ? String(text.dropLast()) : text
    attribution = "© OpenStreetMap contributors, by \(url.host() ?? "")"
    email = contact.hasPrefix("mailto:") ? String(contact.dropFirst("mailto:".count)) : nil
    self.http = http ?? Self.client()
  }

  /// Returns a client for the service. It may connect to private hosts, since the operator names the host.
  package static func client() -> DeliveryHTTP {
    var limits = DeliveryHTTP.Limits()
    limits.exchange = .seconds(8)
    limits.answer = maximumAnswer
    return DeliveryHTTP(policy: TargetPolicy(allowsPrivateNetworks: true), limits: limits)
  }

  package func shutdown() { http.shutdown() }

  /// Returns the places that the service finds, in its order. For a search near a point: those within the
  /// radius, by distance.
  package func find(_ query: PlaceQuery, at now: Instant) async throws(Failure) -> [FoundPlace] {
    let address = address(of: query)
    let places: [Place]
    if let kept = cache.withLockedValue({ $0[address] }), now - kept.at < Self.keptFor {
      places = kept.places
    } else {
      places = try await fetch(address, at: now)
    }
    guard let near = query.near else {
      return places.prefix(query.limit).map { FoundPlace(place: $0, distance: nil) }
    }
    let measured = places.map { FoundPlace(place: $0, distance: near.coordinate.distance(to: $0.coordinate)) }
    let reachable = measured.filter { ($0.distance ?? .zero) <= near.radius }
    return Array(
      reachable.sorted { ($0.distance ?? .zero, $0.place.id) < ($1.distance ?? .zero, $1.place.id) }
        .prefix(query.limit))
  }

  private func fetch(_ address: String, at now: Instant) async throws(Failure) -> [Place] {
    let isFree = lastSent.withLockedValue { last in
      // A clock that was set back must not shut the service out.
      if let last, now >= last, now - last < Self.pause { return false }
      last = now
      return true
    }
    guard isFree else { throw .busy }
    let answer: DeliveryHTTP.Answer
    do {
      answer = try await http.send(.GET, address, headers: [("Accept", "application/json")], body: [])
    } catch { throw .failed("\(error)") }
    guard answer.status == 200 else { throw .failed("status \(answer.status)") }
    guard answer.body.count < Self.maximumAnswer, let list = (try? JSONValue.parse(answer.body))?.list else {
      throw .failed("no JSON array")
    }
    let places = list.prefix(PlaceQuery.allowedLimit.upperBound).compactMap(Self.place)
    keep(Kept(places: places, at: now), for: address)
    return places
  }

  private func keep(_ kept: Kept, for address: String) {
    cache.withLockedValue { cache in
      if cache.count >= Self.mostKept, cache[address] == nil {
        let oldest = cache.min { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
        if let oldest { cache[oldest.key] = nil }
      }
      cache[address] = kept
    }
  }

  private func address(of query: PlaceQuery) -> String {
    // The limit is constant, so that pages of another size use the same kept answer. The service's own
    // maximum is 40.
    var items = [
      ("q", query.words?.text ?? ""), ("format", "jsonv2"), ("limit", "40"), ("addressdetails", "1"),
      ("extratags", "1"),
    ]
    if let near = query.near, near.radius < .kilometres(2_000) {
      let box = PlaceBox(around: near.coordinate, radius: near.radius)
      if let longitudes = box.longitudes.first, box.longitudes.count == 1 {
        // West, north, east, south; any two corners will do. Rounded outwards to some 100 m, so that searches
        // nearby share the answer.
        let corners = [
          Self.rounded(longitudes.lowerBound, .down), Self.rounded(box.latitudes.upperBound, .up),
          Self.rounded(longitudes.upperBound, .up), Self.rounded(box.latitudes.lowerBound, .down),
        ]
        items += [("viewbox", corners.joined(separator: ",")), ("bounded", "1")]
      }
    }
    if let email { items.append(("email", email)) }
    return url + "/search?" + items.map { "\($0.0)=\(Self.escaped($0.1))" }.joined(separator: "&")
  }

  private static func rounded(_ units: Int64, _ rule: FloatingPointRoundingRule) -> String {
    String((Double(units) / 1e4).rounded(rule) / 1e3)
  }

  private static func escaped(_ text: String) -> String {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// Returns nil for a result without a name or a position.
  private static func place(_ value: JSONValue) -> Place? {
    guard let latitude = number(value["lat"]), let longitude = number(value["lon"]),
      let coordinate = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { return nil }
    func text(_ object: JSONValue?, _ keys: String...) -> String {
      keys.lazy.compactMap { object?[$0]?.string }.first.map { PlaceText.cleaned($0) } ?? ""
    }
    let address = value["address"]
    var name = text(value, "name")
    // Older versions return only the whole address, not the name by itself.
    if name.isEmpty { name = text(value, "display_name").split(separator: ",").first.map(String.init) ?? "" }
    let brand = text(value["extratags"], "brand")
    let key = text(value, "category", "class")
    let word = text(value, "type")
    let kind = text(value, "osm_type")
    guard !name.isEmpty || !brand.isEmpty, ["node", "way", "relation"].contains(kind),
      case .integer(let id)? = value["osm_id"]
    else { return nil }
    return Place(
      id: "\(kind)/\(id)", name: name, brand: brand,
      categories: [Place.Category(key: key.isEmpty ? "place" : key, value: word.isEmpty ? "yes" : word)],
      coordinate: coordinate,
      address: Place.Address(
        street: text(address, "road", "pedestrian"), houseNumber: text(address, "house_number"),
        postcode: text(address, "postcode"), city: text(address, "city", "town", "village", "municipality")))
  }

  private static func number(_ value: JSONValue?) -> Double? {
    value?.double ?? value?.string.flatMap { Double($0) }
  }
}
