import Formats
import Foundation
import HTTPTypes
import StreetMap
import Testing

@testable import Server

@Suite("Map of streets over HTTP")
struct StreetMapFileTests {
  private func run(_ body: @escaping @Sendable (Visitor, StreetMapFolder) async throws -> Void) async throws {
    let data = FileManager.default.temporaryDirectory.appendingPathComponent("streets-\(UUID())")
    defer { try? FileManager.default.removeItem(at: data) }
    let folder = StreetMapFolder(data: data.path)
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    var settings = ServerSettings()
    settings.dataFolder = data
    try await TestServer(settings).run { stranger in try await body(stranger, folder) }
  }

  private static func write(_ text: String, version: String, _ folder: StreetMapFolder) throws {
    try Data(text.utf8).write(to: folder.archive(version))
    let index = StreetMapIndex(
      version: version, size: Int64(text.utf8.count), madeAt: "2026-11-23T10:00:00Z",
      regions: [
        StreetRegion(name: "monaco", bounds: .init(west: 7, south: 43, east: 8, north: 44), source: "/secret")
      ], attribution: "© us")
    try Data(index.json.bytes).write(to: folder.index)
  }

  @Test func `without a map the index is empty, and no error`() async throws {
    try await run { stranger, folder in
      let none = try await stranger.get("/streets/map.json")
      #expect(none.json["regions"]?.list?.isEmpty == true && none.json["public_maps"]?.flag == true)
      #expect(try await stranger.get("/streets/map.pmtiles").problem == "not-found")
      try Data("{".utf8).write(to: folder.index)
      #expect(try await stranger.get("/streets/map.json").json["regions"]?.list?.isEmpty == true)
      let damaged = try await stranger.get("/streets/map.pmtiles")
      #expect(damaged.problem == "not-found" && damaged.json["detail"]?.string?.contains("import") == true)
    }
  }

  @Test func `ranges of the archive are served to anybody, and a new one as soon as it is there`()
    async throws
  {
    try await run { stranger, folder in
      try Self.write("0123456789", version: "00000000000000aa", folder)
      let index = try await stranger.get("/streets/map.json")
      let tiles = try #require(index.json["tiles"]?.string)
      #expect(index.headers[.cacheControl] == "no-cache" && !index.text.contains("secret"))
      let part = try await stranger.with(.range, "bytes=2-4").get(tiles)
      #expect(part.status == .partialContent && part.text == "234")
      #expect(part.headers[.contentRange] == "bytes 2-4/10")
      #expect(part.headers[.cacheControl] == "public, max-age=31536000, immutable")
      #expect(try await stranger.with(.range, "bytes=10-").get(tiles).status == .rangeNotSatisfiable)

      try Self.write("abcdef", version: "00000000000000bb", folder)
      #expect(try await stranger.get("/streets/map.json").text != index.text)
      let stale = try await stranger.with(.range, "bytes=0-1").get(tiles)
      // Its tag shows that this is another archive.
      #expect(stale.text == "ab" && stale.tag != part.tag && stale.headers[.cacheControl] == "no-cache")
      try FileManager.default.removeItem(at: folder.archive("00000000000000bb"))
      #expect(try await stranger.get("/streets/map.pmtiles").problem == "not-found")
    }
  }
}
