import Formats
import Foundation

/// Reads an untrusted archive of tiles (PMTiles, version 3).
///
/// https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
public struct TileArchive: Sendable {
  public enum Failure: Error, Equatable, Sendable {
    case noArchive
    case version(UInt8)
    /// The archive does not hold vector tiles, gzip-compressed or plain.
    case kind
    /// A range named by the header, a directory or a tile lies outside the file, or is larger than allowed.
    case outOfBounds
    case compression
    case directory
  }

  private struct Entry {
    let tile: UInt64
    let offset: UInt64
    let length: UInt64
    /// The number of consecutive tiles with this content; 0 for a further directory.
    let run: UInt64
  }

  public static let headerSize = 127
  private static let mostDirectoryBytes = 8 << 20
  private static let mostTileBytes = 4 << 20
  private static let mostLevels = 4

  public let zooms: ClosedRange<Int>
  private let data: Data
  private let root: [Entry]
  private let leaves: Range<UInt64>
  private let tiles: Range<UInt64>
  private let packsDirectories: Bool
  private let packsTiles: Bool

  public init(_ data: Data) throws(Failure) {
    guard data.count >= Self.headerSize, data.prefix(7).elementsEqual("PMTiles".utf8) else {
      throw .noArchive
    }
    let header = [UInt8](data.prefix(Self.headerSize))
    guard header[7] == 3 else { throw .version(header[7]) }
    func number(at place: Int) -> UInt64 {
      header[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    func section(at place: Int) throws(Failure) -> Range<UInt64> {
      try Self.range(number(at: place), number(at: place + 8), in: 0..<UInt64(data.count))
    }
    guard header[99] == 1, (1...2).contains(header[97]), (1...2).contains(header[98]),
      header[100] <= header[101], header[101] <= 26
    else { throw .kind }
    self.data = data
    zooms = Int(header[100])...Int(header[101])
    packsDirectories = header[97] == 2
    packsTiles = header[98] == 2
    leaves = try section(at: 40)
    tiles = try section(at: 56)
    root = try Self.entries(
      Self.bytes(data, section(at: 8), packed: packsDirectories, most: Self.mostDirectoryBytes))
  }

  /// - Returns: the tile's bytes, decompressed; nil if there is none.
  public func tile(zoom: Int, x: Int, y: Int) throws(Failure) -> [UInt8]? {
    guard zooms.contains(zoom), (0..<1 << zoom).contains(x), (0..<1 << zoom).contains(y) else { return nil }
    let wanted = Self.identifier(zoom: zoom, x: x, y: y)
    var directory = root
    for _ in 0..<Self.mostLevels {
      guard let entry = Self.entry(for: wanted, in: directory) else { return nil }
      if entry.run > 0 {
        guard wanted - entry.tile < entry.run else { return nil }
        let place = try Self.range(entry.offset, entry.length, in: tiles)
        return try Self.bytes(data, place, packed: packsTiles, most: Self.mostTileBytes)
      }
      let place = try Self.range(entry.offset, entry.length, in: leaves)
      directory = try Self.entries(
        Self.bytes(data, place, packed: packsDirectories, most: Self.mostDirectoryBytes))
    }
    throw .directory
  }

  /// Returns the number of a tile: tiles of smaller zooms come first, then the order is that of the Hilbert
  /// curve.
  public static func identifier(zoom: Int, x: Int, y: Int) -> UInt64 {
    var number: UInt64 = 0
    for lower in 0..<zoom { number += 1 << UInt64(2 * lower) }
    var x = x
    var y = y
    var side = zoom == 0 ? 0 : 1 << (zoom - 1)
    while side > 0 {
      let right = x & side != 0
      let down = y & side != 0
      number += UInt64(side) * UInt64(side) * (down ? (right ? 2 : 1) : (right ? 3 : 0))
      x &= side - 1
      y &= side - 1
      if !down {
        if right {
          x = side - 1 - x
          y = side - 1 - y
        }
        swap(&x, &y)
      }
      side >>= 1
    }
    return number
  }

  /// Returns the last entry that begins at or before the tile.
  private static func entry(for tile: UInt64, in entries: [Entry]) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].tile <= tile { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : entries[low - 1]
  }

  private static func range(
    _ offset: UInt64, _ length: UInt64, in whole: Range<UInt64>
  ) throws(Failure) -> Range<UInt64> {
    let room = whole.upperBound - whole.lowerBound
    guard offset <= room, length <= room - offset else { throw .outOfBounds }
    return whole.lowerBound + offset..<whole.lowerBound + offset + length
  }

  private static func bytes(
    _ data: Data, _ range: Range<UInt64>, packed: Bool, most: Int
  ) throws(Failure) -> [UInt8] {
    guard range.upperBound - range.lowerBound <= UInt64(most) else { throw .outOfBounds }
    let start = data.startIndex
    let bytes = [UInt8](data[start + Int(range.lowerBound)..<start + Int(range.upperBound)])
    guard packed else { return bytes }
    do { return try CompressedBody.inflated(bytes, limit: most) } catch { throw .compression }
  }

  private static func entries(_ bytes: [UInt8]) throws(Failure) -> [Entry] {
    var reader = ProtobufReader(bytes)
    do {
      let count = try reader.varint()
      // Each entry takes at least four bytes.
      guard count <= UInt64(bytes.count / 4) else { throw Failure.directory }
      func column() throws -> [UInt64] { try (0..<count).map { _ in try reader.varint() } }
      let steps = try column()
      let runs = try column()
      let lengths = try column()
      let offsets = try column()
      var entries: [Entry] = []
      entries.reserveCapacity(Int(count))
      var tile: UInt64 = 0
      for index in steps.indices {
        let (next, tooFar) = tile.addingReportingOverflow(steps[index])
        guard !tooFar, index == 0 || next > tile else { throw Failure.directory }
        tile = next
        var offset = offsets[index]
        if offset == 0 {
          guard let former = entries.last else { throw Failure.directory }
          let (following, overflows) = former.offset.addingReportingOverflow(former.length)
          guard !overflows else { throw Failure.directory }
          offset = following
        } else {
          offset -= 1
        }
        entries.append(Entry(tile: tile, offset: offset, length: lengths[index], run: runs[index]))
      }
      return entries
    } catch { throw .directory }
  }
}
