import AlarmEngine
import Formats
import Foundation
import Geometry
import Places
import Store
import TestSupport

/// Measures import and search of places: `PlaceBenchmark FOLDER [FILE.osm.pbf...]`. Build it in release.
///
/// Without files it invents a country of 300,000 places, a tenth of them drawn as buildings, and 2,000,000
/// nodes of roads.
@main
struct PlaceBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let folder = URL(fileURLWithPath: arguments.count > 1 ? arguments[1] : NSTemporaryDirectory())
    var files = arguments.dropFirst(2).map { URL(fileURLWithPath: $0) }
    let path = folder.appendingPathComponent("benchmark-\(UUID().uuidString).sqlite").path
    let invented = folder.appendingPathComponent("benchmark-\(UUID().uuidString).osm.pbf")
    defer {
      for file in [path, path + ".lock", invented.path] { try? FileManager.default.removeItem(atPath: file) }
    }
    if files.isEmpty {
      let bytes = InventedCountry(places: 300_000, roadNodes: 2_000_000).file()
      try Data(bytes).write(to: invented)
      print("invented: \(bytes.count / 1_000_000) MB")
      files = [invented]
    }
    try measure("read only") {
      for file in files { print(try PlaceFile.read(contentsOf: file) { _ in }) }
    }
    try measure("read and index") {
      let count = try PlaceBuilder.build(at: path, attribution: "", now: Instant(millisecondsSince1970: 0)) {
        add in
        for file in files { _ = try PlaceFile.read(contentsOf: file, add) }
      }
      print("\(count) places")
    }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    print("file: \((size?.intValue ?? 0) / 1_000_000) MB")
    let store = try PlaceStore(path: path)
    guard let centre = try await anyPlace(of: files) else { return }
    let near = PlaceQuery.Near(centre)
    let close = PlaceQuery.Near(centre, within: .kilometres(5))
    let words = ["supermarket", "aldo b", "sh", "hauptstrasse 12", "bakery ulm", "qwertz"]
    try await search("nearest 20", store, PlaceQuery(words: nil, near: near))
    try await search(
      "nearest 100 of 5 km, page 10", store, PlaceQuery(words: nil, near: close, offset: 900, limit: 100))
    for text in words {
      let words = try PlaceWords(text)
      try await search("\"\(text)\"", store, PlaceQuery(words: words, near: nil))
      try await search("\"\(text)\", nearest", store, PlaceQuery(words: words, near: near))
      try await search("\"\(text)\", within 5 km", store, PlaceQuery(words: words, near: close))
    }
  }

  private static func measure(_ label: String, _ work: () throws -> Void) throws {
    let time = try ContinuousClock().measure(work)
    print("\(label): \(time)")
  }

  private static func anyPlace(of files: [URL]) async throws -> Coordinate? {
    var places: [Coordinate] = []
    for file in files { _ = try PlaceFile.read(contentsOf: file) { places.append($0.coordinate) } }
    return places.isEmpty ? nil : places[places.count / 2]
  }

  /// The median and the slowest of 50 searches.
  private static func search(_ label: String, _ store: PlaceStore, _ query: PlaceQuery) async throws {
    var times: [Duration] = []
    var found = 0
    for _ in 0..<50 {
      let clock = ContinuousClock()
      let start = clock.now
      found = try await store.search(query).items.count
      times.append(clock.now - start)
    }
    times.sort()
    print("\(label): \(found) found, median \(times[25]), slowest \(times[49])")
  }
}
