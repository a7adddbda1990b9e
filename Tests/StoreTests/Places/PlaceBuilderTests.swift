import Formats
import Foundation
import GRDB
import Geometry
import TestSupport
import Testing

@testable import Store

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
      // Half way: nobody sees anything of it.
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
