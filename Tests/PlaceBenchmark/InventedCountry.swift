import TestSupport

/// Random places and roads, in towns of different sizes, as an OpenStreetMap file.
struct InventedCountry {
  private let places: Int
  private let roadNodes: Int
  private static let kinds = [
    ("shop", "supermarket"), ("shop", "bakery"), ("shop", "hairdresser"), ("amenity", "restaurant"),
    ("amenity", "cafe"), ("amenity", "fuel"), ("tourism", "hotel"), ("railway", "station"),
    ("highway", "bus_stop"), ("amenity", "pharmacy"),
  ]
  private static let brands = ["Aldo", "Bonprix Markt", "Café Linde", "Dorado", "Eckladen", "Fuchs & Sohn"]
  private static let streets = ["Hauptstraße", "Lindenallee", "Am Markt", "Bahnhofstraße", "Schulweg"]
  private static let towns = ["Altdorf", "Bergen", "Calw", "Dornheim", "Ulm", "Wiesbach"]

  init(places: Int, roadNodes: Int) {
    self.places = places
    self.roadNodes = roadNodes
  }

  func file() -> [UInt8] {
    var generator = SeededGenerator(seed: 1)
    let towns = (0..<400).map { _ in
      (generator.double(in: 46...49), generator.double(in: 9...17), generator.double(in: 0.005...0.05))
    }
    func spot() -> (Double, Double) {
      let town = towns[Int.random(in: 0..<towns.count, using: &generator)]
      return (town.0 + generator.normal() * town.2, town.1 + generator.normal() * town.2)
    }
    var file = OSMFile()
    file.addHeader()
    var id: Int64 = 0
    var nodes: [OSMFile.Node] = []
    var ways: [OSMFile.Way] = []
    func add(_ latitude: Double, _ longitude: Double, _ tags: OSMFile.Tags = []) {
      id += 1
      nodes.append(OSMFile.Node(id, latitude, longitude, tags))
      if nodes.count == 8000 {
        file.addBlock(nodes: nodes)
        nodes.removeAll(keepingCapacity: true)
      }
    }
    for _ in 0..<roadNodes {
      let (latitude, longitude) = spot()
      add(latitude, longitude)
    }
    for number in 0..<places {
      let (latitude, longitude) = spot()
      let tags = tags(number, &generator)
      if number % 10 == 0 {
        for (north, east) in [(0.0, 0.0), (0, 2e-4), (1e-4, 2e-4), (1e-4, 0)] {
          add(latitude + north, longitude + east)
        }
        ways.append(OSMFile.Way(Int64(number), [id - 3, id - 2, id - 1, id, id - 3], tags))
      } else {
        add(latitude, longitude, tags)
      }
    }
    file.addBlock(nodes: nodes)
    for start in stride(from: 0, to: ways.count, by: 8000) {
      file.addBlock(ways: Array(ways[start..<min(ways.count, start + 8000)]))
    }
    return file.bytes
  }

  private func tags(_ number: Int, _ generator: inout SeededGenerator) -> OSMFile.Tags {
    func any<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &generator)]
    }
    let kind = any(Self.kinds)
    let town = any(Self.towns)
    var tags = [
      kind, ("addr:street", any(Self.streets)), ("addr:housenumber", "\(number % 90)"), ("addr:city", town),
    ]
    if number % 3 == 0 {
      let brand = any(Self.brands)
      tags += [("brand", brand), ("name", "\(brand) \(town)")]
    } else {
      tags.append(("name", "\(kind.1) \(String(number, radix: 36)) \(town)"))
    }
    return tags
  }
}
