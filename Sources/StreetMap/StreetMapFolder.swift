import Formats
import Foundation

/// The folder with a server's street map: its regions, and the archive that is served.
package struct StreetMapFolder: Sendable {
  /// The folder's name in the server's folder.
  package static let name = "streets"
  package let url: URL

  /// - Parameter data: the server's folder.
  package init(data: String) { url = URL(fileURLWithPath: data).appendingPathComponent(Self.name) }

  /// The index of the served map. It is replaced as a whole, so that a reader always finds the archive it
  /// names.
  package var index: URL { url.appendingPathComponent("map.json") }
  package var regions: URL { url.appendingPathComponent("regions") }

  /// The lock file of an import; two imports at once would overwrite each other's work.
  package var lock: URL { url.appendingPathComponent("import.lock") }

  package func archive(_ version: String) -> URL { url.appendingPathComponent("map-\(version).pmtiles") }

  /// - Returns: nil if no map has been made.
  /// - Throws: `ReadError` for a file that is not an index.
  package func readIndex() throws -> StreetMapIndex? {
    guard let bytes = try? Data(contentsOf: index) else { return nil }
    return try StreetMapIndex(json: Array(bytes))
  }
}

/// An imported region.
package struct StreetRegion: Equatable, Sendable {
  package let name: String
  package let bounds: Coastline.Bounds
  /// The source file and its state; a changed one is read again.
  package let source: String

  package init(name: String, bounds: Coastline.Bounds, source: String) {
    self.name = name
    self.bounds = bounds
    self.source = source
  }

  /// True if a name is allowed in files and addresses: 1 to 60 of a-z, 0-9, `-` and `_`.
  package static func isName(_ text: String) -> Bool {
    (1...60).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  package func json(with source: Bool) -> JSONValue {
    .object(
      [
        ("name", .string(name)),
        (
          "bounds",
          .array([bounds.west, bounds.south, bounds.east, bounds.north].map { JSONValue.number($0) })
        ),
      ] + (source ? [("source", .string(self.source))] : []))
  }

  package init(json: JSONValue) throws {
    guard let name = json["name"]?.string, Self.isName(name),
      let numbers = json["bounds"]?.list?.map(\.double),
      numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
      let north = numbers[3], (-180...180).contains(west), west < east, east <= 180,
      (-90...90).contains(south),
      south < north, north <= 90
    else { throw ReadError("no region with a name and bounds found") }
    self.name = name
    bounds = .init(west: west, south: south, east: east, north: north)
    source = json["source"]?.string ?? ""
  }
}

/// The description of the map for web pages, docs/map.md.
package struct StreetMapIndex: Equatable, Sendable {
  /// The archive's version, which changes with every byte of it.
  package let version: String
  package let size: Int64
  package let madeAt: String
  package let regions: [StreetRegion]
  package let attribution: String

  package init(version: String, size: Int64, madeAt: String, regions: [StreetRegion], attribution: String) {
    self.version = version
    self.size = size
    self.madeAt = madeAt
    self.regions = regions
    self.attribution = attribution
  }

  package var json: JSONValue {
    .object([
      ("tiles", .string("/streets/map.pmtiles?v=\(version)")), ("version", .string(version)),
      ("size_bytes", .integer(size)), ("made_at", .string(madeAt)),
      ("regions", .array(regions.map { $0.json(with: false) })),
      ("minimum_zoom", .integer(Int64(StreetZooms.least))),
      ("maximum_zoom", .integer(Int64(StreetZooms.most))),
      ("attribution", .string(attribution)),
    ])
  }

  /// - Throws: `ReadError` if the bytes are not an index.
  package init(json bytes: [UInt8]) throws {
    let value: JSONValue
    do { value = try JSONValue.parse(bytes) } catch {
      throw ReadError("the map's index is no JSON: \(error.message)")
    }
    guard let version = value["version"]?.string, version.utf8.count == 16, version.utf8.allSatisfy(\.isHex),
      let size = value["size_bytes"]?.double, size >= 0, size < 1e15, let madeAt = value["made_at"]?.string,
      let regions = value["regions"]?.list
    else { throw ReadError("the map's index has no version, size, time and regions") }
    self.version = version
    self.size = Int64(size)
    self.madeAt = madeAt
    self.regions = try regions.map(StreetRegion.init)
    attribution = value["attribution"]?.string ?? ""
  }
}

extension UInt8 {
  fileprivate var isHex: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
  }
}
