import ArgumentParser
import CommandLineSupport
import Foundation
import Geometry

/// Prints the distance from a place to every zone.
struct Locate: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints for every zone whether a place is inside it, and the distance.",
    discussion: """
      The nearest zone comes first. Distances are metres over the WGS 84 ellipsoid, to the effective edge (the zone's \
      inset applied) and to the outline as drawn.

      --json prints one object per line: zone, zone_id, inside, distance_m, outline_distance_m, alert_distance_m; \
      distances are negative inside.
      """)

  @Argument(help: "The place in degrees, as LAT,LON.")
  var place: String

  @OptionGroup var zoneOptions: ZoneOptions

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func run(on console: Console) throws -> ExitStatus {
    let place = try coordinate(typed: place)
    var files = InputFiles(console: console)
    let answers = LocateAnswer.all(try files.zones(zoneOptions), from: place)
    if json {
      for answer in answers { try console.print(answer.jsonLine.string) }
    } else {
      var table = TextTable()
      for answer in answers { table.add([answer.shownName, answer.words + answer.alertWords]) }
      for line in table.lines { try console.print(line) }
    }
    return files.status
  }

  /// Joins a latitude and a longitude given separately, and puts a place that begins with a minus after `--`,
  /// so that it is not taken for an option.
  static func withPlaceShielded(_ arguments: [String]) -> [String] {
    guard arguments.first == configuration.commandName ?? "locate", !arguments.contains("--") else {
      return arguments
    }
    var others = arguments
    // Only directly after the command: further on a number belongs to an option.
    if others.count > 2, Double(others[1]) != nil, Double(others[2]) != nil {
      others[1] += "," + others.remove(at: 2)
    }
    guard let index = others.firstIndex(where: looksLikeNegativePlace) else { return others }
    let place = others.remove(at: index)
    return others + ["--", place]
  }

  private static func looksLikeNegativePlace(_ argument: String) -> Bool {
    let bytes = Array(argument.utf8)
    return bytes.count > 2 && bytes[0] == UInt8(ascii: "-") && argument.contains(",")
      && ((48...57).contains(bytes[1]) || bytes[1] == UInt8(ascii: "."))
  }
}

/// "LAT,LON" in degrees, as a person types it.
/// - Throws: `UsageError` that says what was found and what is allowed.
func coordinate(typed text: String) throws(UsageError) -> Coordinate {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    .map { $0.trimmingCharacters(in: .whitespaces) }
  guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else {
    throw UsageError("place \(printable(text)) found, LAT,LON in decimal degrees allowed, as in 52.52,13.405")
  }
  do { return try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) } catch {
    switch error {
    case .latitudeOutOfRange(let given): throw UsageError("latitude \(given) found, -90 to 90 allowed")
    case .longitudeOutOfRange(let given): throw UsageError("longitude \(given) found, -360 to 360 allowed")
    }
  }
}
