import Formats
import Foundation
import GRDB
import Geometry
import Store

/// One search of places.sqlite.
///
/// Distance is evaluated before words: a box is searched and doubled until it surely holds the nearest
/// places, and the words are checked for the places in it. SQL's own planner would join the two in the slower
/// order.
struct PlaceSearch {
  let database: Database
  var limits = Limits()

  /// The numbers of matches from which a search takes another path; the result is the same except for the
  /// order of a search by words alone.
  struct Limits: Sendable {
    /// The most matches that are sorted by relevance. With more, possible only for a single common word,
    /// names come before other matches and nothing else is weighed.
    var ranked = 5_000
    /// The most matches that are all measured.
    var measured = 6_000
    /// The most matches that are listed and intersected with nearby places; with more, nearby places are
    /// checked one by one.
    var listed = 40_000
  }

  struct Ranked {
    let number: Int64
    let distance: Distance?
  }

  func page(_ query: PlaceQuery) throws -> PlacePage {
    // One more shows whether there is another page.
    let wanted = query.offset + query.limit + 1
    let ranked: [Ranked]
    switch (query.words, query.near) {
    case (let words?, let near?): ranked = try nearest(to: near, words: words, wanted: wanted)
    case (let words?, nil): ranked = try best(words, wanted: wanted)
    case (nil, let near?): ranked = try nearest(to: near, wanted: wanted) { _ in true }
    case (nil, nil): preconditionFailure("a query has words or nearness")
    }
    let items = try ranked.dropFirst(query.offset).prefix(query.limit).map(found)
    return PlacePage(items: items, hasMore: ranked.count > query.offset + query.limit)
  }

  // MARK: Words alone

  private func best(_ words: PlaceWords, wanted: Int) throws -> [Ranked] {
    if try matches(words, upTo: limits.ranked + 1).count <= limits.ranked {
      // Weights: name before brand, brand before category, category before address.
      return try rows(
        """
        SELECT rowid FROM place_words WHERE place_words MATCH ? AND rank MATCH 'bm25(8.0, 4.0, 2.0, 1.0)'
        ORDER BY rank, rowid LIMIT ?
        """, [words.match, wanted])
    }
    let named = try rows(
      "SELECT rowid FROM place_words WHERE place_words MATCH ? LIMIT ?",
      ["{names brand} : (\(words.match))", wanted])
    guard named.count < wanted else { return named }
    let known = Set(named.map(\.number))
    let others = try rows(
      "SELECT rowid FROM place_words WHERE place_words MATCH ? LIMIT ?", [words.match, wanted + known.count])
    return Array((named + others.filter { !known.contains($0.number) }).prefix(wanted))
  }

  private func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Ranked] {
    try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
      .map { Ranked(number: $0, distance: nil) }
  }

  /// Returns the matching row numbers in ascending order.
  private func matches(_ words: PlaceWords, upTo limit: Int) throws -> [Int64] {
    try Int64.fetchAll(
      database.cachedStatement(
        sql: "SELECT rowid FROM place_words WHERE place_words MATCH ? ORDER BY rowid LIMIT ?"),
      arguments: [words.match, limit])
  }

  // MARK: Nearness

  private func nearest(to near: PlaceQuery.Near, words: PlaceWords, wanted: Int) throws -> [Ranked] {
    let listed = try matches(words, upTo: limits.listed + 1)
    if listed.count <= limits.measured {
      let statement = try database.cachedStatement(
        sql: "SELECT number, latitude_e7, longitude_e7 FROM place WHERE number = ?")
      let candidates = try listed.compactMap { number in
        try Row.fetchOne(statement, arguments: [number]).map { Candidate($0, from: near.coordinate) }
      }
      return Self.nearest(candidates, to: near, within: near.radius, wanted: wanted)
    }
    if listed.count <= limits.listed {
      let known = Set(listed)
      return try nearest(to: near, wanted: wanted, known.contains)
    }
    let statement = try database.cachedStatement(
      sql: "SELECT rowid FROM place_words WHERE place_words MATCH ? AND rowid = ?")
    return try nearest(to: near, wanted: wanted) {
      try Int64.fetchOne(statement, arguments: [words.match, $0]) != nil
    }
  }

  /// Widens the search until enough places have surely been found.
  private func nearest(
    to near: PlaceQuery.Near, wanted: Int, _ isMatch: (Int64) throws -> Bool
  ) throws -> [Ranked] {
    var reach = min(near.radius, .metres(500))
    while true {
      let candidates = try candidates(in: PlaceBox(around: near.coordinate, radius: reach), of: near)
        .filter { try isMatch($0.number) }
      let sure = candidates.count { $0.metres * Candidate.farther <= reach.metres }
      if sure >= wanted || reach >= near.radius {
        return Self.nearest(candidates, to: near, within: near.radius, wanted: wanted)
      }
      reach = min(near.radius, reach * 2)
    }
  }

  private func candidates(in box: PlaceBox, of near: PlaceQuery.Near) throws -> [Candidate] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT number, south, west FROM place_box
        WHERE south <= ? AND north >= ? AND west <= ? AND east >= ?
        """)
    var candidates: [Candidate] = []
    for longitudes in box.longitudes {
      let rows = try Row.fetchCursor(
        statement,
        arguments: [
          box.latitudes.upperBound, box.latitudes.lowerBound, longitudes.upperBound, longitudes.lowerBound,
        ])
      while let row = try rows.next() { candidates.append(Candidate(row, from: near.coordinate)) }
    }
    return candidates
  }

  /// A place that may have to be measured.
  struct Candidate {
    let number: Int64
    let coordinate: Coordinate
    /// The distance on a sphere.
    let metres: Double

    /// The ellipsoid's distance is within 0.57 % of the sphere's (H. Moritz, "Geodetic Reference System 1980").
    static let farther = 1.006
    static let nearer = 0.994

    init(_ row: Row, from centre: Coordinate) {
      number = row[0]
      coordinate = PlaceSearch.coordinate(row[1], row[2])
      let (a, b) = (centre.latitude.degrees * .pi / 180, coordinate.latitude.degrees * .pi / 180)
      let apart = (coordinate.longitude.degrees - centre.longitude.degrees) * .pi / 180
      let (high, wide) = (Trigonometry.sine((b - a) / 2), Trigonometry.sine(apart / 2))
      let square =
        high * high + Trigonometry.cosine(a) * Trigonometry.cosine(b) * wide * wide
      metres = 2 * Earth.meanRadius * Trigonometry.arcsine(min(1, square.squareRoot()))
    }
  }

  /// Returns the nearest `wanted` by exact distance; only places that can be among them are measured.
  static func nearest(
    _ candidates: [Candidate], to near: PlaceQuery.Near, within radius: Distance, wanted: Int
  ) -> [Ranked] {
    var candidates = candidates
    if candidates.count > wanted {
      candidates.sort { ($0.metres, $0.number) < ($1.metres, $1.number) }
      let last = candidates[wanted - 1].metres * Candidate.farther / Candidate.nearer
      candidates.removeSubrange((candidates.firstIndex { $0.metres > last } ?? candidates.count)...)
    }
    var ranked: [(number: Int64, distance: Distance)] = []
    for candidate in candidates {
      let distance = near.coordinate.distance(to: candidate.coordinate)
      if distance <= radius { ranked.append((candidate.number, distance)) }
    }
    ranked.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
    return ranked.prefix(wanted).map { Ranked(number: $0.number, distance: $0.distance) }
  }

  // MARK: Places

  static func coordinate(_ latitude: Int64, _ longitude: Int64) -> Coordinate {
    // A manipulated file must not end the process.
    let degrees = min(90, max(-90, Double(latitude) / 1e7))
    return Coordinate(latitude: .degrees(degrees), longitude: .degrees(Double(longitude) / 1e7))
  }

  private func found(_ ranked: Ranked) throws -> FoundPlace {
    guard
      let row = try database.row(
        """
        SELECT id, name, other_names, brand, categories, street, house_number, postcode, city,
          latitude_e7, longitude_e7 FROM place WHERE number = ?
        """, [ranked.number])
    else { throw StoreError.corrupted(detail: "a place of the index is missing") }
    func lines(_ column: Int) -> [String] {
      (row[column] as String).split(separator: "\n").map(String.init)
    }
    let categories = lines(4).map { tag in
      let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
      return Place.Category(key: parts.first ?? "", value: parts.count > 1 ? parts[1] : "")
    }
    let (id, name, brand): (String, String, String) = (row[0], row[1], row[3])
    guard !id.isEmpty, !(name.isEmpty && brand.isEmpty), !categories.isEmpty else {
      throw StoreError.corrupted(detail: "a place without a name or a category")
    }
    let place = Place(
      id: id, name: name, otherNames: lines(2), brand: brand, categories: categories,
      coordinate: Self.coordinate(row[9], row[10]),
      address: Place.Address(street: row[5], houseNumber: row[6], postcode: row[7], city: row[8]))
    return FoundPlace(place: place, distance: ranked.distance)
  }
}
