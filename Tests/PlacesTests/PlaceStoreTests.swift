import Formats
import Foundation
import Geometry
import Store
import TestSupport
import Testing

@testable import Places

@Suite("Places")
struct PlaceStoreTests {
  private func ids(_ store: PlaceStore, _ text: String) async throws -> [String] {
    try await store.search(PlaceQuery(words: try PlaceWords(text), near: nil)).items.map(\.place.id)
  }

  @Test func `words meet names, brands, categories and addresses, the last by its beginning (S203)`()
    async throws
  {
    let places = [
      PlaceSamples.place("1", "Pekarna Zora", 46, 14, city: "Ljubljana", street: "Tržaška cesta"),
      PlaceSamples.place("2", "McDonald's", 46, 14.1, kind: ("amenity", "fast_food")),
      PlaceSamples.place("3", "", 46, 14.2, brand: "H&M", kind: ("shop", "clothes")),
      PlaceSamples.place("4", "Bäckerei Öztürk", 47, 9, other: ["Ozturk bakery"]),
      PlaceSamples.place("5", "駅前", 35, 139, kind: ("railway", "station")),
      PlaceSamples.place("6", "Kiosk", 35, 139, kind: ("shop", "kiosk"), street: "Hauptstraße"),
    ]
    try await PlaceSamples.with(places) { store in
      #expect(try await ids(store, "zora") == ["1"])
      #expect(try await ids(store, "pek zo") == [])
      #expect(try await ids(store, "pekarna zo") == ["1"])
      #expect(try await ids(store, "zora pekarna") == ["1"])
      #expect(try await ids(store, "trzaska") == ["1"])
      #expect(try await ids(store, "ljubljana bakery") == ["1"])
      #expect(try await ids(store, "mcdonalds") == ["2"])
      #expect(try await ids(store, "McDonald's") == ["2"])
      #expect(try await ids(store, "fast food") == ["2"])
      #expect(try await ids(store, "h&m") == ["3"])
      #expect(try await ids(store, "hm") == ["3"])
      #expect(try await ids(store, "backerei ozturk") == ["4"])
      #expect(try await ids(store, "駅") == ["5"])
      #expect(try await ids(store, "HAUPTSTRASSE ki") == ["6"])
      #expect(try await ids(store, "kiosk hauptstraß") == ["6"])
      // A single letter at the end is ignored for now.
      #expect(try await ids(store, "zora p") == ["1"])
      #expect(try await ids(store, "nothing of that") == [])
      #expect(Set(try await ids(store, "bakery")) == ["1", "4"])
      #expect(store.about == .init(attribution: "us", importedAt: .init(millisecondsSince1970: 7), places: 6))
      let found = try await store.search(PlaceQuery(words: try PlaceWords("ozturk"), near: nil))
      #expect(found.items.map(\.place) == [places[3]])
    }
  }

  @Test func `operators and quotes are only words`() async throws {
    try await PlaceSamples.with([PlaceSamples.place("1", "OR not AND", 1, 1)]) { store in
      for text in [
        "or NOT and", "\"or", "names:or", "or*", "(or", "^or", "or + not", "NEAR(or not)", "-or", "o\"r",
      ] {
        _ = try await ids(store, text)
      }
      #expect(try await ids(store, "NOT or") == ["1"])
      #expect(try await ids(store, "\"or\" (not)") == ["1"])
    }
    #expect(throws: PlaceWords.Refusal.tooShort) { try PlaceWords("a") }
    #expect(throws: PlaceWords.Refusal.tooShort) { try PlaceWords("  ") }
    #expect(throws: PlaceWords.Refusal.tooShort) { try PlaceWords("'' -- \"") }
    #expect(throws: PlaceWords.Refusal.tooMany(given: 9, allowed: 8)) { try PlaceWords("aa b c d e f g h i") }
    #expect(throws: PlaceWords.Refusal.tooLong(allowed: 100)) {
      try PlaceWords(String(repeating: "a", count: 101))
    }
  }

  @Test(arguments: Seeds.few(4))
  func `the nearest are those that a plain loop finds, in the order of exact distance`(seed: Int) async throws
  {
    let places = PlaceSamples.many(600, seed: UInt64(seed))
    try await PlaceSamples.with(places) { store in
      var generator = SeededGenerator(seed: UInt64(seed) + 1000)
      let centres = [(46.05, 14.5), (-17, 180), (90, 0), (-89.999, 77), (0.01, -0.01), (64, 179.97)]
      for round in 0..<24 {
        let centre =
          round < centres.count
          ? centres[round] : (generator.double(in: -90...90), generator.double(in: -180...180))
        let here = Coordinate(latitude: .degrees(centre.0), longitude: .degrees(centre.1))
        let radius = [Distance.metres(3000), .kilometres(300), .kilometres(20_020)][round % 3]
        let word = [nil, "zora", "bar", "cevlji bakery"][round % 4]
        let limit = 1 + Int.random(in: 0..<60, using: &generator)
        let words = try word.map { try PlaceWords($0) }
        let query = PlaceQuery(
          words: words, near: .init(here, within: radius), offset: round % 5, limit: limit)
        let expected = places.filter { Self.matches($0, word) }
          .map { (place: $0, distance: here.distance(to: $0.coordinate)) }
          .filter { $0.distance <= radius }
          .sorted {
            ($0.distance, Int($0.place.id.dropFirst(5))!) < ($1.distance, Int($1.place.id.dropFirst(5))!)
          }
          .dropFirst(round % 5)
        // Forces every way of searching, even with few places.
        var limits = PlaceSearch.Limits()
        if round % 8 > 3 { limits.measured = 0 }
        if round / 8 == 1, limits.measured == 0 { limits.listed = 0 }
        let page = try await store.search(query, limits: limits)
        let place: Comment = "seed \(seed), round \(round)"
        #expect(page.items.map(\.place.id) == expected.prefix(limit).map(\.place.id), place)
        #expect(page.items.map(\.distance) == expected.prefix(limit).map(\.distance), place)
        #expect(page.hasMore == (expected.count > limit), place)
      }
    }
  }

  /// The expected match for the names of `PlaceSamples.many`, by hand.
  private static func matches(_ place: Place, _ word: String?) -> Bool {
    switch word {
    case nil: true
    case "zora": place.name.hasPrefix("Zora")
    case "bar": place.name.hasPrefix("Bar") || place.categories[0].value == "bar"
    default: place.name.hasPrefix("Čevlji") && place.categories[0].value == "bakery"
    }
  }

  @Test func `words that many places have are looked for where it is near`() async throws {
    // More places than are all measured, and more than are ranked.
    let common = (0..<7000).map { number in
      PlaceSamples.place(
        "node/\(number)", number % 10 == 0 ? "Linde \(number)" : "Other", 40 + Double(number) * 1e-3, 10,
        city: "Linde")
    }
    try await PlaceSamples.with(common) { store in
      let here = Coordinate(latitude: .degrees(43.1231), longitude: .degrees(10))
      let words = try PlaceWords("linde")
      let page = try await store.search(PlaceQuery(words: words, near: .init(here), limit: 3))
      #expect(page.items.map(\.place.id) == ["node/3123", "node/3124", "node/3122"])
      // Matches in names come first.
      let best = try await store.search(PlaceQuery(words: words, near: nil, limit: 100))
      #expect(best.items.allSatisfy { $0.place.name.hasPrefix("Linde") } && best.hasMore)
      let last = try await store.search(PlaceQuery(words: words, near: nil, offset: 690, limit: 20))
      #expect(last.items.count == 20)
      #expect(last.items.count { $0.place.name.hasPrefix("Linde") } == 10)
      #expect(Set(last.items.map(\.place.id)).count == 20)
    }
  }

  @Test func `branches of one brand stand together, the nearest first (S204)`() async throws {
    let places = [
      PlaceSamples.place("1", "Mercator Center", 46.00, 14, brand: "Mercator"),
      PlaceSamples.place("2", "Lidl", 46.01, 14, brand: "Lidl"),
      PlaceSamples.place("3", "Mercator Pivka", 46.02, 14, brand: "mercator"),
      PlaceSamples.place("4", "Lidl", 46.03, 14),
      PlaceSamples.place("5", "Zora", 46.04, 14),
    ]
    try await PlaceSamples.with(places) { store in
      let here = Coordinate(latitude: .degrees(46), longitude: .degrees(14))
      let page = try await store.search(PlaceQuery(words: nil, near: .init(here)))
      let groups = PlaceGroup.groups(of: page.items)
      #expect(groups.map(\.title) == ["Mercator", "Lidl", "Zora"])
      #expect(groups.map { $0.branches.map(\.place.id) } == [["1", "3"], ["2", "4"], ["5"]])
    }
  }
}
