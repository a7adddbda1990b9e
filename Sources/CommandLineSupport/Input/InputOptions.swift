import AlarmEngine
import ArgumentParser
import Formats
import Geometry

/// The format of that name.
/// - Throws: `ValidationError` that names the intended format, or lists all.
package func format<Format: RawRepresentable & CaseIterable>(named name: String) throws -> Format
where Format.RawValue == String {
  if let format = Format(rawValue: name.lowercased()) { return format }
  let names = Format.allCases.map(\.rawValue)
  if let meant = nearestName(to: name, among: names) {
    throw ValidationError("\(printable(name)) found; did you mean \(meant)?")
  }
  throw ValidationError("\(printable(name)) found, \(names.joined(separator: ", ")) allowed")
}

/// The alternatives in a sentence: "a, b or c".
package func listed(_ titles: [String]) -> String {
  titles.dropLast().joined(separator: ", ") + " or " + (titles.last ?? "")
}

/// The zone files for a track or a place.
package struct ZoneOptions: ParsableArguments {
  @Option(
    name: .customLong("zones"),
    help:
      "A zone file: \(listed(ZoneFormat.allCases.map(\.title))); - is standard input. May be repeated.")
  package var files: [String]

  @OptionGroup package var reading: ZoneReadingOptions

  package init() {}
}

/// The zone files for a track that may contain zones itself.
package struct TrackZoneOptions: ParsableArguments {
  @Option(
    name: .customLong("zones"),
    help:
      "A zone file: \(listed(ZoneFormat.allCases.map(\.title))); - is standard input. May be repeated. Zones given here replace those of a phone's journal."
  )
  package var files: [String] = []

  @OptionGroup package var reading: ZoneReadingOptions

  /// - Throws: `ValidationError` if no track can contain zones.
  package func check(_ options: TrackOptions) throws {
    guard files.isEmpty else { return }
    guard options.tracks.count == 1 else {
      throw ValidationError("--zones is missing; only a single phone's journal is replayed without it")
    }
    let format = options.format ?? TrackFormat(name: options.tracks[0])
    guard format == nil || format == .journal else { throw ValidationError(Self.missing) }
  }
  package static let missing =
    "--zones is missing; only the journal of a phone contains its own zones"

  package init() {}
}

/// Options for reading zone files.
package struct ZoneReadingOptions: ParsableArguments {
  @Option(
    name: .customLong("zone-format"),
    help:
      "The zone files' format, if it cannot be detected from their content: \(ZoneFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(ZoneFormat.allCases.map(\.rawValue)), transform: format(named:))
  package var format: ZoneFormat?

  @Option(name: .customLong("default-radius"), help: "Radius in metres for zones without a size.")
  package var defaultRadius: Double = Settings().defaultRadius.metres

  package func validate() throws {
    let allowed = Zone.allowedSize
    guard defaultRadius.isFinite, allowed.contains(.metres(defaultRadius)) else {
      throw ValidationError(
        "--default-radius \(defaultRadius) found, \(allowed.lowerBound.metres) to \(allowed.upperBound.metres) allowed"
      )
    }
  }

  package var radius: Distance { .metres(defaultRadius) }

  package init() {}
}

/// Options for reading a track, and the engine's assumptions about it.
package struct TrackOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Tracks: \(listed(TrackFormat.allCases.map(\.title))); - is standard input.",
      valueName: "track"))
  package var tracks: [String]

  @Option(
    name: .customLong("track-format"),
    help:
      "The tracks' format, if it cannot be detected from their content: \(TrackFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(TrackFormat.allCases.map(\.rawValue)), transform: format(named:))
  package var format: TrackFormat?

  @Option(help: "Metres per unit of hdop, as the accuracy of fixes that state none.")
  package var hdopMetres: Double?

  @Option(help: "Maximum speed of the phone in metres per second; faster fixes need confirmation.")
  package var maximumSpeed: Double = Settings().maximumSpeed.metresPerSecond

  @Option(help: "The date, as YYYY-MM-DD, of fixes that state only a time (NMEA without RMC).")
  package var assumedDate: String?

  package func validate() throws {
    if let hdopMetres, !(hdopMetres.isFinite && (0...10_000).contains(hdopMetres)) {
      throw ValidationError("--hdop-metres \(hdopMetres) found, 0 to 10000 allowed")
    }
    let fastest = Settings.fastestReplay.metresPerSecond
    guard maximumSpeed > 0, maximumSpeed <= fastest else {
      throw ValidationError(
        "--maximum-speed \(maximumSpeed) found, above 0 and up to \(Int(fastest)) m/s allowed")
    }
    if let assumedDate, assumedDate.utf8.count != 10 || instant(typed: assumedDate) == nil {
      throw ValidationError("--assumed-date \(printable(assumedDate)) found, YYYY-MM-DD allowed")
    }
  }

  /// The engine's settings for this replay.
  package func settings(defaultRadius: Distance) throws(NumberOutOfRange) -> Settings {
    try .replay(maximumSpeed: .metresPerSecond(maximumSpeed), defaultRadius: defaultRadius)
  }

  package init() {}
}
