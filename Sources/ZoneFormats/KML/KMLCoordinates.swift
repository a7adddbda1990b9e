import AlarmEngine
import Geometry
import PAD

/// The positions of a `coordinates` element: `longitude,latitude[,altitude]` between blanks. Invalid ones are
/// left out.
///
/// Some programs put blanks beside the commas, or commas between the positions. Both are read if they are
/// unambiguous.
struct KMLCoordinates {
  private(set) var places: [Coordinate] = []
  /// The altitudes; nil where a place has none.
  private(set) var highest: Double?
  /// The number of positions left out, and the beginning of the first.
  private(set) var leftOut = (count: 0, first: "")
  /// An invalid altitude; its place is kept.
  private(set) var strangeAltitude: String?

  init(_ text: [UInt8]) {
    let tokens = text.split { $0 <= 32 }
    var found = tokens.map(Tuple.init)
    if found.contains(where: { $0.place == nil }), let better = Self.joined(tokens, found) { found = better }
    for tuple in found { take(tuple) }
  }

  private mutating func take(_ tuple: Tuple) {
    guard let place = tuple.place else {
      if leftOut.count == 0 { leftOut.first = tuple.excerpt }
      leftOut.count += 1
      return
    }
    if tuple.hasStrangeAltitude, strangeAltitude == nil { strangeAltitude = tuple.excerpt }
    highest =
      places.isEmpty ? tuple.altitude : tuple.altitude.flatMap { height in highest.map { max($0, height) } }
    places.append(place)
  }

  /// Returns the positions without blanks beside commas; nil if that makes no more of them valid.
  private static func joined(_ tokens: [ArraySlice<UInt8>], _ found: [Tuple]) -> [Tuple]? {
    var joined: [[UInt8]] = []
    for token in tokens {
      if let last = joined.indices.last, joined[last].last == comma || token.first == comma {
        joined[last] += token
      } else {
        joined.append(Array(token))
      }
    }
    if joined.count == 1, let tuples = positions(joined[0]) { return tuples }
    guard joined.count < tokens.count else { return nil }
    let tuples = joined.map { Tuple($0[...]) }
    let (bad, before) = (tuples.count { $0.place == nil }, found.count { $0.place == nil })
    return bad < before ? tuples : nil
  }

  /// Reads numbers separated only by commas as pairs or triples; nil if both readings are possible, or none.
  private static func positions(_ run: [UInt8]) -> [Tuple]? {
    let fields = run.split(separator: comma, omittingEmptySubsequences: false)
    guard fields.count > 3 else { return nil }
    let readings = [2, 3].compactMap { length -> [Tuple]? in
      guard fields.count % length == 0 else { return nil }
      let tuples = stride(from: 0, to: fields.count, by: length).map { Tuple(fields[$0..<$0 + length]) }
      return tuples.allSatisfy { $0.place != nil && !$0.hasStrangeAltitude } ? tuples : nil
    }
    if readings.count == 1 { return readings[0] }
    // A ring ends where it begins.
    let closed = readings.filter { $0.first?.place == $0.last?.place }
    return closed.count == 1 ? closed[0] : nil
  }

  private static let comma = UInt8(ascii: ",")

  private struct Tuple {
    let place: Coordinate?
    let altitude: Double?
    let hasStrangeAltitude: Bool
    private let fields: ArraySlice<ArraySlice<UInt8>>

    init(_ token: ArraySlice<UInt8>) {
      var fields = token.split(separator: comma, omittingEmptySubsequences: false)[...]
      // A comma may close it.
      if fields.count > 2, fields.last?.isEmpty == true { fields.removeLast() }
      self.init(fields)
    }

    init(_ fields: ArraySlice<ArraySlice<UInt8>>) {
      self.fields = fields
      let numbers = fields.prefix(3).map { DecimalNumber.parse($0) }
      altitude = numbers.count > 2 ? numbers[2] : nil
      hasStrangeAltitude = numbers.count > 2 && numbers[2] == nil && fields.last?.isEmpty == false
      guard (2...3).contains(fields.count), let longitude = numbers[0], let latitude = numbers[1] else {
        place = nil
        return
      }
      place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    var excerpt: String {
      String(decoding: Array(fields.joined(separator: [comma])).prefix(60), as: UTF8.self)
    }
  }
}
