import Formats
import Foundation
import Geometry
import Places
import Store
import TestSupport

enum PlaceSamples {
  static func place(
    _ id: String, _ name: String, _ latitude: Double, _ longitude: Double, brand: String = "",
    other: [String] = [], kind: (String, String) = ("shop", "bakery"), city: String = "", street: String = ""
  ) -> Place {
    Place(
      id: id, name: name, otherNames: other, brand: brand,
      categories: [Place.Category(key: kind.0, value: kind.1)],
      coordinate: Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude)),
      address: Place.Address(street: street, city: city))
  }

  /// A new folder among the system's temporary files.
  static func folder() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("places-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  static func build(_ places: [Place], at path: String) throws {
    _ = try PlaceBuilder.build(at: path, attribution: "us", now: .init(millisecondsSince1970: 7)) { add in
      for place in places { try add(place) }
    }
  }

  /// Runs a test on a store of these places.
  static func with(_ places: [Place], _ body: (PlaceStore) async throws -> Void) async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent(PlaceLibrary.fileName).path
    try build(places, at: path)
    try await body(try PlaceStore(path: path))
  }

  /// Invented places over the whole earth, dense around a few points, including poles and the antimeridian.
  static func many(_ count: Int, seed: UInt64) -> [Place] {
    var generator = SeededGenerator(seed: seed)
    let centres = [(46.05, 14.5), (-17.0, 179.99), (89.99, 10), (-90, 0), (0, 0), (64, -180)]
    return (0..<count).map { number in
      var (latitude, longitude) = (generator.double(in: -90...90), generator.double(in: -180...180))
      if number % 3 > 0 {
        let centre = centres[number % centres.count]
        latitude = max(-90, min(90, centre.0 + generator.normal() * 0.05))
        longitude = centre.1 + generator.normal() * 0.05
        if abs(longitude) > 180 { longitude -= longitude > 0 ? 360 : -360 }
      }
      let names = ["Zora Market", "Čevlji Novak", "Bar Lipa", "Zorana", "Mercado"]
      return place(
        "node/\(number)", names[Int.random(in: 0..<names.count, using: &generator)],
        (latitude * 1e7).rounded() / 1e7, (longitude * 1e7).rounded() / 1e7,
        kind: number % 2 == 0 ? ("shop", "bakery") : ("amenity", "bar"))
    }
  }
}
