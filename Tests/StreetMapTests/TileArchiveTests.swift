import Formats
import Foundation
import StreetMap
import TestSupport
import Testing

@Suite struct TileArchiveTests {
  @Test func `tiles are numbered as the format's documentation has it`() {
    #expect(TileArchive.identifier(zoom: 0, x: 0, y: 0) == 0)
    #expect(
      [(0, 0), (0, 1), (1, 1), (1, 0)].map { TileArchive.identifier(zoom: 1, x: $0, y: $1) } == [1, 2, 3, 4])
    #expect(TileArchive.identifier(zoom: 2, x: 0, y: 0) == 5)
    #expect(TileArchive.identifier(zoom: 12, x: 3423, y: 1763) == 19_078_479)
  }

  @Test func `each tile of a zoom has a number of its own`() {
    let numbers = (0..<16).flatMap { x in (0..<16).map { TileArchive.identifier(zoom: 4, x: x, y: $0) } }
    #expect(Set(numbers) == Set(85..<341))
  }

  @Test func `the specification's polygon is read`() throws {
    let tile = try VectorTile(Self.tile)
    let layer = try #require(tile.layers.first)
    #expect(layer.name == "road" && layer.extent == 4096)
    let feature = try #require(layer.features.first)
    #expect(feature.shape == .area && feature.text("kind") == "park")
    #expect(feature.lines.map { $0.map { [$0.x, $0.y] } } == [[[3, 6], [8, 12], [20, 34]]])
    #expect(try VectorTile(Self.tile, layers: ["water"]).layers.isEmpty)
  }

  @Test func `a tile is found through a leaf, and is not where there is none`() throws {
    let archive = try TileArchive(Self.archive)
    #expect(archive.zooms == 0...3)
    #expect(try archive.tile(zoom: 0, x: 0, y: 0) == Self.tile)
    #expect(try archive.tile(zoom: 1, x: 0, y: 1) == Self.tile)
    #expect(try archive.tile(zoom: 1, x: 1, y: 0) == nil)
    #expect(try archive.tile(zoom: 3, x: 8, y: 0) == nil)
    #expect(try archive.tile(zoom: 9, x: 0, y: 0) == nil)
  }

  @Test func `geometry that ends within a command is refused`() {
    for commands: [UInt8] in [[9, 6], [18, 2, 2], [15], [9, 6, 12, 255, 255, 3], [9, 6, 12, 3]] {
      #expect(throws: VectorTile.Failure.geometry) { try VectorTile(Self.tile(commands)) }
    }
  }

  @Test func `an attribute its layer does not have is refused`() {
    #expect(throws: VectorTile.Failure.attribute) { try VectorTile(Self.tile([9, 6, 12], tags: [0, 7])) }
  }

  @Test func `what is no archive is refused in its kind`() {
    #expect(throws: TileArchive.Failure.noArchive) { try TileArchive(Data("PMTiles".utf8)) }
    var bytes = Self.archive
    bytes[7] = 2
    #expect(throws: TileArchive.Failure.version(2)) { try TileArchive(bytes) }
    bytes = Self.archive
    bytes[15] = 255
    #expect(throws: TileArchive.Failure.outOfBounds) { try TileArchive(bytes) }
  }

  @Test func `a directory that leads to itself ends`() {
    var bytes = Self.archive
    // Replaces the leaf's only entry with the root's, which leads to the leaf.
    bytes.replaceSubrange(133..<138, with: [1, 0, 0, 5, 1])
    #expect(throws: TileArchive.Failure.directory) { try TileArchive(bytes).tile(zoom: 0, x: 0, y: 0) }
  }

  @Test(arguments: Seeds.few(40)) func `cut and changed bytes are read or refused`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      var bytes = [UInt8](Self.archive)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
      }
      guard let archive = try? TileArchive(Data(bytes)) else { continue }
      for (zoom, x, y) in [(0, 0, 0), (1, 0, 1), (3, 7, 7)] {
        guard let tile = try? archive.tile(zoom: zoom, x: x, y: y) else { continue }
        for layer in (try? VectorTile(tile))?.layers ?? [] { #expect(layer.extent > 0) }
      }
    }
  }

  private static let tile = tile([9, 6, 12, 18, 10, 12, 24, 44, 15])

  private static func tile(_ commands: [UInt8], tags: [UInt8] = [0, 0]) -> [UInt8] {
    func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
      [number << 3 | 2, UInt8(bytes.count)] + bytes
    }
    let feature = field(2, tags) + [3 << 3, 3] + field(4, commands)
    return field(
      3,
      [15 << 3, 2] + field(1, Array("road".utf8)) + field(2, feature) + field(3, Array("kind".utf8))
        + field(4, field(1, Array("park".utf8))) + [5 << 3, 0x80, 0x20])
  }

  /// A root of two entries, the second a leaf with the two tiles from number 1 on; both have the same bytes.
  private static let archive: Data = {
    let leaf: [UInt8] = [2, 0, 1, 1, 2, UInt8(tile.count), UInt8(tile.count), 1, 1]
    let root: [UInt8] = [1, 0, 0, UInt8(leaf.count), 1]
    var header = Array("PMTiles".utf8) + [3]
    let sizes = [
      (127, root.count), (0, 0), (127 + root.count + 1, leaf.count),
      (127 + root.count + 1 + leaf.count, tile.count),
    ]
    for (offset, length) in sizes {
      for number in [offset, length] {
        header += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
    }
    header += [UInt8](repeating: 0, count: 97 - header.count) + [1, 1, 1, 0, 3]
    header += [UInt8](repeating: 0, count: TileArchive.headerSize - header.count)
    return Data(header + root + [0] + leaf + tile)
  }()
}
