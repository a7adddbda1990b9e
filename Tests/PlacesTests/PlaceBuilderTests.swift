import Formats
import Foundation
import GRDB
import Geometry
import Store
import TestSupport
import Testing

@testable import Places

@Suite("Import of places")
struct PlaceBuilderTests {
  private let folder: URL
  private var path: String { folder.appendingPathComponent(PlaceLibrary.fileName).path }
  private let one = PlaceSamples.place("1", "One", 46, 14)
  private let two = PlaceSamples.place("2", "Two", 46, 14)

  init() throws { folder = try PlaceSamples.folder() }

  private func names(_ store: PlaceStore?) async throws -> [String] {
    let near = PlaceQuery.Near(one.coordinate)
    return try await store?.search(PlaceQuery(words: nil, near: near)).items.map(\.place.name) ?? ["no file"]
  }

  @Test func `a new file takes the old one's place when it is whole, searches under way keep theirs`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = PlaceLibrary(folder: folder.path)
    #expect(try library.current() == nil)
    try PlaceSamples.build([one], at: path)
    let old = try library.current()
    #expect(try await names(old) == ["One"])
    #expect(try library.current() === old)
    _ = try PlaceBuilder.build(at: path, attribution: "", now: .init(millisecondsSince1970: 0)) { add in
      try add(two)
      // Halfway through, nothing of it is visible.
      #expect(try library.current() === old)
    }
    #expect(try await names(try library.current()) == ["Two"])
    #expect(try await names(old) == ["One"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "places.sqlite", "places.sqlite.lock",
      ])
    try FileManager.default.removeItem(atPath: path)
    #expect(try library.current() == nil)
  }

  @Test func `an import that fails or is stopped leaves what was there`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try PlaceSamples.build([one], at: path)
    #expect(throws: CancellationError.self) {
      try PlaceBuilder.build(at: path, attribution: "", now: .init(millisecondsSince1970: 0)) { add in
        try add(two)
        throw CancellationError()
      }
    }
    #expect(try await names(try PlaceStore(path: path)) == ["One"])
    #expect(!FileManager.default.fileExists(atPath: path + ".part"))
  }

  @Test func `what a kill left behind is cleared away by the next import`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("half a file".utf8).write(to: URL(fileURLWithPath: path + ".part"))
    try Data("half a journal".utf8).write(to: URL(fileURLWithPath: path + ".part-journal"))
    #expect(try PlaceLibrary(folder: folder.path).current() == nil)
    try PlaceSamples.build([one], at: path)
    #expect(try await names(try PlaceStore(path: path)) == ["One"])
  }

  /// More than a step, so that a part is on the disk at the stop.
  private func stopHalfWay(source: String) throws -> Int {
    let places = PlaceSamples.many(PlacePart.step + 50, seed: 3)
    #expect(throws: CancellationError.self) {
      try PlaceBuilder.build(at: path, attribution: "", source: source, now: .init(millisecondsSince1970: 0))
      { add in
        for place in places.prefix(PlacePart.step + 20) { try add(place) }
        throw CancellationError()
      }
    }
    return places.count
  }

  @Test func `an import that was stopped goes on, and ends as one that was not`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let count = try stopHalfWay(source: "a 1")
    let places = PlaceSamples.many(count, seed: 3)
    var resumed = 0
    let built = try PlaceBuilder.build(
      at: path, attribution: "us", source: "a 1", now: .init(millisecondsSince1970: 7),
      resumed: { resumed = $0 }, fill: { add in for place in places { try add(place) } })
    #expect(resumed == PlacePart.step)
    #expect(built == count)
    let whole = folder.appendingPathComponent("whole.sqlite").path
    try PlaceSamples.build(places, at: whole)
    func rows(_ path: String) throws -> [Row] {
      try DatabaseQueue(path: path).read {
        try Row.fetchAll(
          $0, sql: "SELECT * FROM place JOIN place_box USING (number), about ORDER BY number")
      }
    }
    #expect(try rows(path) == rows(whole))
    #expect(!FileManager.default.fileExists(atPath: path + ".part"))
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  @Test func `what another source has left is begun anew`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try stopHalfWay(source: "a 1")
    var resumed = 0
    let built = try PlaceBuilder.build(
      at: path, attribution: "", source: "a 2", now: .init(millisecondsSince1970: 7),
      resumed: { resumed = $0 }, fill: { add in try add(one) })
    #expect(resumed == 0 && built == 1)
  }

  @Test func `two imports at once: the second is refused`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try PlaceBuilder.build(at: path, attribution: "", now: .init(millisecondsSince1970: 0)) { add in
      try add(one)
      #expect(throws: StoreError.locked) { try PlaceSamples.build([two], at: path) }
    }
    #expect(try PlaceStore(path: path).about.places == 1)
  }

  @Test func `of places with one id the first counts`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let again = PlaceSamples.place("1", "Again", 1, 1)
    let count = try PlaceBuilder.build(at: path, attribution: "", now: .init(millisecondsSince1970: 0)) {
      add in
      for place in [one, two, again] { try add(place) }
    }
    #expect(count == 2)
  }

  @Test func `a file that is not ours, newer, damaged or cut is refused, not served`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = PlaceLibrary(folder: folder.path)
    try Data("no database at all, but long enough to be looked at".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: StoreError.self) { try library.current() }
    try FileManager.default.removeItem(atPath: path)
    try DatabaseQueue(path: path).close()
    try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE other (a)") }
    #expect(throws: StoreError.foreignFile) { try library.current() }
    try PlaceSamples.build([one], at: path)
    try DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = 9") }
    #expect(throws: StoreError.newerSchema(found: 9, known: 1)) { try library.current() }
    try PlaceSamples.build([one], at: path)
    #expect(try library.current() != nil)
  }

  @Test func `a file damaged at any page gives an answer or an error`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try PlaceSamples.build(PlaceSamples.many(50, seed: 1), at: path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for seed in Seeds.few(60) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var damaged = bytes
      for _ in 0..<40 {
        damaged[Int.random(in: 100..<damaged.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let other = path + "-\(seed)"
      try damaged.write(to: URL(fileURLWithPath: other))
      guard let store = try? PlaceStore(path: other, readers: 1) else { continue }
      _ = try? await names(store)
      _ = try? await store.search(PlaceQuery(words: try PlaceWords("zora ma"), near: nil))
      _ = try? await store.search(PlaceQuery(words: try PlaceWords("bar"), near: .init(one.coordinate)))
    }
  }
}
