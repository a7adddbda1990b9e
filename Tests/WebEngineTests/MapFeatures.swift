import Foundation

/// Features as text, read by a third-party reader.
struct MapFeatures {
  struct Point: Equatable {
    let longitude: Double
    let latitude: Double
  }
  private let features: [[String: Any]]

  init(_ bytes: [UInt8]) throws {
    let whole = Array("[".utf8) + bytes + Array("]".utf8)
    features = try JSONSerialization.jsonObject(with: Data(whole)) as? [[String: Any]] ?? []
  }

  func property(_ name: String) -> [String] {
    features.map { ($0["properties"] as? [String: String])?[name] ?? "" }
  }
  var kinds: [String] { property("kind") }

  private func coordinates(_ kind: String) -> [Any] {
    features.filter { ($0["properties"] as? [String: String])?["kind"] == kind }
      .compactMap { ($0["geometry"] as? [String: Any])?["coordinates"] }
  }

  /// The areas of a kind: each an outer ring and its holes.
  func areas(_ kind: String) -> [[[Point]]] {
    coordinates(kind).flatMap { ($0 as? [[[[Double]]]] ?? []) }
      .map { area in area.map { ring in ring.map { Point(longitude: $0[0], latitude: $0[1]) } } }
  }
  func rings(_ kind: String) -> [[Point]] { areas(kind).flatMap { $0 } }

  var points: [Point] {
    features.compactMap { ($0["geometry"] as? [String: Any])?["coordinates"] as? [Double] }
      .map { Point(longitude: $0[0], latitude: $0[1]) }
  }
}
