import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Places of .osm.pbf")
struct OSMPlaceReaderTests {
  /// An invented file with one of everything.
  static func sample(_ file: OSMFile = OSMFile()) -> [UInt8] {
    var file = file
    file.addHeader()
    file.addBlock(nodes: [
      .init(1, 46.05, 14.5, [("shop", "bakery"), ("name", "Pekarna Zora"), ("addr:city", "Ljubljana")]),
      .init(2, 46.0501, 14.5),
      .init(3, 46.0503, 14.5002, [("highway", "crossing"), ("name", "no place")]),
      .init(
        4, -33.8688, 151.2093, [("amenity", "fuel"), ("shop", "convenience"), ("brand", "Bento & Söhne")]),
      .init(5, 90, -180, [("tourism", "attraction"), ("name", "The Pole"), ("name:en", "Pole")]),
      .init(6, 46.06, 14.51, [("amenity", "bench")]),
    ])
    file.addBlock(nodes: [
      .init(10, 46.1, 14.6), .init(11, 46.1, 14.602), .init(12, 46.101, 14.602), .init(13, 46.101, 14.6),
    ])
    file.addBlock(
      ways: [
        .init(7, [10, 11, 12, 13, 10], [("shop", "supermarket"), ("name", "Veleblagovnica")]),
        .init(8, [10, 11], [("leisure", "track"), ("name", "Pot")]),
        .init(9, [98, 99], [("amenity", "school"), ("name", "Outside the extract")]),
        .init(20, [10, 11, 12], [("building", "yes")]),
      ], relations: [(30, [("amenity", "university"), ("name", "Campus")]), (31, [("type", "route")])])
    return file.bytes
  }

  private func read(_ bytes: [UInt8]) throws -> (places: [Place], summary: PlaceFile.Summary) {
    var places: [Place] = []
    let summary = try PlaceFile.read(data: Data(bytes), name: "sample.osm.pbf") { places.append($0) }
    return (places, summary)
  }

  private func refusal(_ bytes: [UInt8]) -> String {
    do { _ = try read(bytes) } catch { return "\(error)" }
    return "none"
  }

  @Test func `nodes are places where they are, ways where their middle is`() throws {
    let (places, summary) = try read(Self.sample())
    #expect(places.map(\.id) == ["node/1", "node/4", "node/5", "way/7", "way/8"])
    #expect(summary == PlaceFile.Summary(places: 5, unplaced: 1, relations: 1))
    let bakery = places[0]
    #expect(bakery.name == "Pekarna Zora")
    #expect(bakery.categories == [.init(key: "shop", value: "bakery")])
    #expect(bakery.address == .init(city: "Ljubljana"))
    #expect(abs(bakery.coordinate.latitude.degrees - 46.05) < 1e-9)
    let fuel = places[1]
    #expect(fuel.title == "Bento & Söhne")
    #expect(fuel.categories.map(\.tag) == ["amenity=fuel", "shop=convenience"])
    #expect(abs(fuel.coordinate.latitude.degrees + 33.8688) < 1e-9)
    #expect(abs(fuel.coordinate.longitude.degrees - 151.2093) < 1e-9)
    #expect(places[2].otherNames == ["Pole"])
    #expect(places[2].coordinate.latitude.degrees == 90)
    #expect(abs(places[3].coordinate.latitude.degrees - 46.1005) < 1e-9)
    #expect(abs(places[3].coordinate.longitude.degrees - 14.601) < 1e-9)
  }

  @Test func `packed or not, dense or not, fine or coarse: the same places`() throws {
    let expected = try read(Self.sample()).places
    var raw = OSMFile()
    raw.packing = .raw
    var plain = OSMFile()
    plain.isDense = false
    var coarse = OSMFile()
    coarse.granularity = 1000
    for file in [raw, plain, coarse] { #expect(try read(Self.sample(file)).places == expected) }
  }

  @Test func `the content tells the format where the name does not`() throws {
    let summary = try PlaceFile.read(data: Data(Self.sample()), name: "extract") { _ in }
    #expect(summary.places == 5)
    #expect(throws: ReadError.self) { try PlaceFile.read(data: Data([1, 2, 3]), name: "extract") { _ in } }
  }

  @Test func `what is not understood is refused with where and what`() {
    var strange = OSMFile()
    strange.features = ["OsmSchema-V0.6", "HistoricalInformation"]
    #expect(refusal(Self.sample(strange)).contains("HistoricalInformation"))
    #expect(refusal([]) == "sample.osm.pbf: not an .osm.pbf file: no header found")
    #expect(
      refusal([0x7f, 0xff, 0xff, 0xff]).contains(
        "a blob header of 2147483647 bytes found, up to 65536 allowed"))
    let sample = Self.sample()
    #expect(refusal(Array(sample.dropLast())).contains("the file ends inside a blob"))
    // A blob that claims to unzip to 4 GiB.
    var bomb = OSMFile()
    bomb.packing = .raw
    bomb.addHeader()
    let header: [UInt8] = [0x0a, 7] + Array("OSMData".utf8) + [0x18, 8]
    let huge =
      bomb.bytes + [0, 0, 0, UInt8(header.count)] + header + [0x10, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x1a, 0]
    #expect(
      refusal(huge).contains("unzips to 4294967295 bytes found, up to 33554432 allowed"), "\(refusal(huge))")
    let large = bomb.bytes + [0, 0, 0, 14, 0x0a, 7] + Array("OSMData".utf8) + [0x18, 0xff, 0xff, 0xff, 0x7f]
    #expect(refusal(large).contains("a blob of 268435455 bytes found"), "\(refusal(large))")
  }

  @Test func `a string index beyond the table and uneven lists are refused`() {
    // A group of one dense list: an id, a latitude, a longitude, and a tag of string 9 in a table of one.
    let dense: [UInt8] = [0x0a, 1, 2, 0x42, 1, 2, 0x4a, 1, 2, 0x52, 3, 9, 9, 0]
    let lopsided: [UInt8] = [0x0a, 2, 2, 2, 0x42, 1, 2, 0x4a, 1, 2]
    for (list, expected) in [(dense, "stringIndex(9, count: 1)"), (lopsided, "uneven")] {
      var file = OSMFile()
      file.addHeader()
      let group = [0x12, UInt8(list.count)] + list
      file.add("OSMData", [0x0a, 2, 0x0a, 0, 0x12, UInt8(group.count)] + group)
      #expect(refusal(file.bytes).contains(expected), "\(refusal(file.bytes))")
    }
  }

  @Test func `a file damaged at any byte gives places or an error`() {
    var raw = OSMFile()
    raw.packing = .raw
    for sample in [Self.sample(raw), Self.sample()] {
      for index in sample.indices {
        _ = try? read(Array(sample[..<index]))
        for byte in [0, 0xff, sample[index] ^ 1, sample[index] ^ 0x80] as [UInt8] {
          var damaged = sample
          damaged[index] = byte
          _ = try? read(damaged)
        }
      }
    }
  }

  @Test func `noise in a block gives places or an error`() {
    for seed in Seeds.few(300) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var file = OSMFile()
      file.addHeader()
      file.add(
        "OSMData",
        (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
          // Small numbers are fields and lengths more often.
          Bool.random(using: &generator)
            ? .random(in: 0...31, using: &generator) : .random(in: 0...255, using: &generator)
        })
      _ = try? read(file.bytes)
    }
  }

  @Test func `the listener sees both passes and can stop`() throws {
    let sample = Self.sample()
    var seen: [Int] = []
    func read(_ progress: @escaping ReadProgress) throws {
      _ = try PlaceFile.read(data: Data(sample), name: "a.osm.pbf", progress: progress) { _ in }
    }
    try read { done, total in
      #expect(total == 2 * sample.count)
      seen.append(done)
      return true
    }
    #expect(seen == seen.sorted() && seen.last == 2 * sample.count)
    for stop in seen.indices {
      var steps = 0
      #expect(throws: CancellationError.self) {
        try read { _, _ in
          steps += 1
          return steps <= stop
        }
      }
    }
  }

  @Test func `the centre of an area across the antimeridian lies in it`() throws {
    let ring = [(10.0, 179.0), (10.0, -179.0), (12.0, -179.0), (12.0, 179.0), (10.0, 179.0)]
    let centre = try #require(PlaceCentre.of(ring.map { (latitude: $0.0, longitude: $0.1) }))
    #expect(abs(centre.latitude.degrees - 11) < 1e-9)
    #expect(abs(abs(centre.longitude.degrees) - 180) < 1e-9)
    #expect(PlaceCentre.of([]) == nil)
    let line = try #require(PlaceCentre.of([(1, 1), (3, 5)]))
    #expect(line.latitude.degrees == 2 && line.longitude.degrees == 3)
    // An outline without any area.
    let flat = try #require(PlaceCentre.of([(1, 1), (1, 3), (1, 2), (1, 1)]))
    #expect(flat.latitude.degrees == 1 && flat.longitude.degrees == 2)
  }
}
