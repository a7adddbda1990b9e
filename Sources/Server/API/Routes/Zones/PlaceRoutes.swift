import AlarmService
import Delivery
import Formats
import Geometry
import HTTPTypes
import Hummingbird
import Logging
import Places
import Store

/// Shops and other places by name and distance, as the target of a reminder (S203, S204).
enum PlaceRoutes {
  private static let text = Schema.text(0...300)

  private static let place = Schema.object([
    .needed("id", .text(1...300), "Id such as \"node/26864258\" for a place from OpenStreetMap."),
    .needed("name", text, "Empty if only the brand is known."),
    .needed("brand", text, "Empty for a place that belongs to no chain."),
    .needed("category", .text(1...700), "Tag such as \"shop=bakery\"."),
    .needed("word", .text(1...300), "Readable category such as \"bakery\"."),
    .needed("latitude", .number(-90...90), "Degrees north."),
    .needed("longitude", .number(-180...180), "Degrees east."),
    .needed(
      "address",
      .object([
        .needed("street", text, ""), .needed("house_number", text, ""), .needed("postcode", text, ""),
        .needed("city", text, ""),
      ]), "Address; unknown parts are empty."),
    .needed(
      "distance_m", .optional(.number(0...20_100_000)),
      "Distance from `near` over the ellipsoid; null without `near`."),
  ])

  private static let page = Schema.object([
    .needed(
      "items", .list(place, upTo: 100),
      "Nearest first, or best match first without `near`; by group if grouped."),
    .needed(
      "groups",
      .list(
        .object([
          .needed("title", text, "The brand, or the name that the places share."),
          .needed(
            "count", .integer(1...100), "Number of the group's places, which follow each other in `items`."),
        ]), upTo: 100), "Branches of one brand; empty unless `grouped`."),
    .needed(
      "next_offset", .optional(.integer(1...1000)),
      "Value of `offset` for the next page; null on the last page."),
    .needed("attribution", .text(0...500), "Text to show beside the places, required by the data's licence."),
    .needed("hint", .optional(.text(1...300)), "Reason why nothing was found, or null."),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/places", name: "findPlaces",
      summary:
        "Finds shops and other places by words, by distance or by both; without an account only imported places",
      handler: .anyone(find),
      query: [
        .init(
          name: "q", schema: .text(0...Int(PlaceWords.longest)),
          meaning:
            "Words of name, brand, category or address; of the last word, the first two letters are enough."),
        .init(
          name: "near", schema: .text(3...60),
          meaning: "Latitude and longitude in degrees, such as 47.14,9.52."),
        .init(
          name: "radius_m", schema: .number(1...20_020_000),
          meaning: "Largest distance from `near`, which is required."),
        .init(name: "limit", schema: .integer(1...100), meaning: "Maximum number of places; 20 if left out."),
        .init(name: "offset", schema: .integer(0...1000), meaning: "`next_offset` of the previous page."),
        .init(name: "grouped", schema: .boolean, meaning: "True to group the branches of one brand."),
      ], answers: [.json(page, "The places found.")])
  ]

  private static func find(_ call: Call) async throws -> Response {
    let query = try query(call)
    let account = await account(call)
    // The place of a search is close to the place of the person.
    if query.near != nil, account?.isPrivate == true {
      throw Problem(.privateAccount, "near found; for a private account, a search by words alone allowed")
    }
    let answer: PlaceFinder.Answer
    do {
      answer = try await call.parts.operation.places.find(
        query, asksUpstream: account != nil, at: call.now, logger: call.logger)
    } catch let error as StoreError where Problem(error) == nil {
      call.logger.error("the places cannot be read", metadata: ["error": "\(error)"])
      throw Problem(.unavailable, "the file of places cannot be read; the operator can import it again")
    }
    let isGrouped = call.query["grouped"]?.flag ?? false
    let groups = isGrouped ? PlaceGroup.groups(of: answer.items) : []
    let items = isGrouped ? groups.flatMap(\.branches) : answer.items
    let next = query.offset + query.limit
    let hasNext = answer.hasMore && PlaceQuery.allowedOffset.contains(next)
    return .json(
      .object([
        ("items", .array(items.map(json))),
        (
          "groups",
          .array(
            groups.map {
              .object([("title", .string($0.title)), ("count", .integer(Int64($0.branches.count)))])
            })
        ), ("next_offset", hasNext ? .integer(Int64(next)) : .null),
        ("attribution", .string(answer.attribution)), ("hint", answer.hint.map { .string($0) } ?? .null),
      ]))
  }

  /// The account of a request; nil if it is not signed in. Imported places are public, so nobody has to sign
  /// in for them. A service upstream is asked in the operator's name, so only for accounts.
  private static func account(_ call: Call) async -> Account? {
    guard let signed = try? await call.parts.accounts.sessions.signed(call.request, call.origin, at: call.now)
    else {
      return nil
    }
    return try? await call.store.account(signed.account)
  }

  private static func query(_ call: Call) throws(Problem) -> PlaceQuery {
    func refuse(_ place: String, _ message: String) -> Problem {
      Problem(
        .invalidParameter, "\(place): \(message)", findings: [Finding(place: place, message: message)])
    }
    var words: PlaceWords?
    if let text = call.query["q"]?.string, text.contains(where: { !$0.isWhitespace }) {
      do { words = try PlaceWords(text) } catch {
        throw refuse("q", "\(text.excerpt(60)) found, \(error.message)")
      }
    }
    var near: PlaceQuery.Near?
    if let text = call.query["near"]?.string {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
        let coordinate = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      else {
        throw refuse("near", "\(text.excerpt(60)) found, latitude and longitude such as 47.14,9.52 allowed")
      }
      let radius = call.query["radius_m"]?.double.map { Distance.metres($0) }
      near = PlaceQuery.Near(coordinate, within: radius ?? PlaceQuery.Near.allowedRadius.upperBound)
    } else if call.query["radius_m"] != nil {
      throw refuse("radius_m", "found without near")
    }
    guard words != nil || near != nil else { throw refuse("q", "nothing found; q or near needed") }
    return PlaceQuery(
      words: words, near: near, offset: Int(call.query["offset"]?.whole ?? 0),
      limit: Int(call.query["limit"]?.whole ?? 20))
  }

  private static func json(_ found: FoundPlace) -> JSONValue {
    let place = found.place
    return .object([
      ("id", .string(place.id)), ("name", .string(place.name)), ("brand", .string(place.brand)),
      ("category", .string(place.categories[0].tag)), ("word", .string(place.categories[0].word)),
      ("latitude", .number(place.coordinate.latitude.degrees)),
      ("longitude", .number(place.coordinate.longitude.degrees)),
      (
        "address",
        .object([
          ("street", .string(place.address.street)), ("house_number", .string(place.address.houseNumber)),
          ("postcode", .string(place.address.postcode)), ("city", .string(place.address.city)),
        ])
      ), ("distance_m", found.distance.map { .number($0.metres) } ?? .null),
    ])
  }
}
