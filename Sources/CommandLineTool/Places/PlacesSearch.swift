import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Geometry
import Places
import Store

/// Searches for places in the same way as the server.
struct PlacesSearch: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Finds imported places by words, by distance or by both.",
    discussion: """
      Words match names, brands, categories and addresses; the last word matches as a prefix. With --near, results are \
      sorted by their distance over the WGS 84 ellipsoid, nearest first.

      --json prints one object per line: id, name, brand, category, latitude, longitude, street, house_number, \
      postcode, city, and distance_m with --near.
      Exit status: 0 found, 1 nothing found, 2 bad usage, 3 nothing has been imported.
      """)

  @Argument(help: "Words to search for.")
  var words: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Sort by distance from this place, nearest first.", valueName: "lat,lon"))
  var near: String?

  @Option(help: ArgumentHelp("Maximum distance; needs --near.", valueName: "metres"))
  var radius: Double?

  @Option(help: "Maximum number of results, 1 to 100.") var limit = 20
  @Option(help: "Number of results to skip, 0 to 1000.") var offset = 0

  @Flag(help: "Group the branches of one brand.") var grouped = false

  @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"))
  var data = DataFolder.standard

  @Flag(help: "Print one JSON object per line.") var json = false

  func run(on console: Console) throws -> ExitStatus {
    let query = try query()
    let path = Places.file(in: data)
    guard FileManager.default.fileExists(atPath: path) else {
      throw ReadError("\(path) does not exist; `proximity places import` creates it")
    }
    let page: PlacePage
    do throws(StoreError) {
      let store = try PlaceStore(path: path, readers: 1)
      page = try store.searchAndWait(query)
    } catch { throw ReadError("\(path): \(error.words)") }
    let groups = grouped ? PlaceGroup.groups(of: page.items) : []
    let items = grouped ? groups.flatMap(\.branches) : page.items
    if json {
      for found in items { try console.print(Self.line(found)) }
    } else if grouped {
      for group in groups {
        try console.print("\(printable(group.title)) (\(group.branches.count))")
        for line in Self.table(group.branches).lines { try console.print("  " + line) }
      }
    } else {
      for line in Self.table(items).lines { try console.print(line) }
    }
    if page.hasMore { console.complain("there are more; --offset \(offset + limit) shows them") }
    return items.isEmpty ? .findings : .ok
  }

  private func query() throws(UsageError) -> PlaceQuery {
    guard PlaceQuery.allowedLimit.contains(limit) else {
      throw UsageError("--limit \(limit) found, 1 to 100 allowed")
    }
    guard PlaceQuery.allowedOffset.contains(offset) else {
      throw UsageError("--offset \(offset) found, 0 to 1000 allowed")
    }
    var placeWords: PlaceWords?
    let text = words.joined(separator: " ")
    if !text.isEmpty {
      do { placeWords = try PlaceWords(text) } catch {
        throw UsageError("\(printable(text)) found, \(error.message)")
      }
    }
    var nearness: PlaceQuery.Near?
    if let near {
      let radius = radius ?? PlaceQuery.Near.allowedRadius.upperBound.metres
      guard radius.isFinite, PlaceQuery.Near.allowedRadius.contains(.metres(radius)) else {
        throw UsageError("--radius \(radius) found, 1 to 20020000 metres allowed")
      }
      nearness = PlaceQuery.Near(try coordinate(typed: near), within: .metres(radius))
    } else if radius != nil {
      throw UsageError("--radius found without --near")
    }
    guard placeWords != nil || nearness != nil else { throw UsageError("words or --near needed") }
    return PlaceQuery(words: placeWords, near: nearness, offset: offset, limit: limit)
  }

  private static func table(_ places: [FoundPlace]) -> TextTable {
    var table = TextTable(flushRight: [0])
    for found in places {
      let place = found.place
      let address = [
        [place.address.street, place.address.houseNumber], [place.address.postcode, place.address.city],
      ].map { $0.filter { !$0.isEmpty }.joined(separator: " ") }.filter { !$0.isEmpty }.joined(
        separator: ", ")
      let away = found.distance.map { "\(fixedPoint($0.metres, decimals: 0)) m" } ?? ""
      table.add([away, printable(place.title), printable(place.categories[0].word), printable(address)])
    }
    return table
  }

  private static func line(_ found: FoundPlace) -> String {
    let place = found.place
    var line = JSONLine()
    line.add("id", .string(place.id))
    line.add("name", .string(place.name))
    line.add("brand", .string(place.brand))
    line.add("category", .string(place.categories[0].tag))
    line.add("latitude", .number(place.coordinate.latitude.degrees))
    line.add("longitude", .number(place.coordinate.longitude.degrees))
    line.add("street", .string(place.address.street))
    line.add("house_number", .string(place.address.houseNumber))
    line.add("postcode", .string(place.address.postcode))
    line.add("city", .string(place.address.city))
    if let distance = found.distance { line.add("distance_m", .metres(distance.metres)) }
    return line.string
  }
}
