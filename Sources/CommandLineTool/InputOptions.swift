import AlarmEngine
import ArgumentParser
import Formats
import Geometry

extension TrackFormat: ExpressibleByArgument {}
extension ZoneFormat: ExpressibleByArgument {}

/// Which zone files go with a track or a place.
struct ZoneOptions: ParsableArguments {
  @Option(
    name: .customLong("zones"),
    help: "A zone file: PAD, GeoJSON, KML, OwnTracks waypoints or OpenAir. May be repeated.")
  var files: [String]

  @OptionGroup var reading: ZoneReadingOptions
}

/// How zone files are read.
struct ZoneReadingOptions: ParsableArguments {
  @Option(
    name: .customLong("zone-format"), help: "The zone files' format, where their content does not tell.")
  var format: ZoneFormat?

  @Option(name: .customLong("default-radius"), help: "Radius in metres of zones that state no size.")
  var defaultRadius: Double = Settings().defaultRadius.metres

  func validate() throws {
    let allowed = Zone.allowedSize
    guard defaultRadius.isFinite, allowed.contains(.metres(defaultRadius)) else {
      throw ValidationError(
        "--default-radius \(defaultRadius) found, \(allowed.lowerBound.metres) to \(allowed.upperBound.metres) allowed"
      )
    }
  }

  var radius: Distance { .metres(defaultRadius) }
}

/// How a track is read and what the engine assumes about it.
struct TrackOptions: ParsableArguments {
  @Argument(help: "A track: GPX, GeoJSON, KML, CSV, PLT, TCX, IGC, OwnTracks .rec or NMEA.")
  var track: String

  @Option(name: .customLong("track-format"), help: "The track's format, where its content does not tell.")
  var format: TrackFormat?

  @Option(help: "Take hdop times this many metres as accuracy where a fix states none.")
  var hdopMetres: Double?

  @Option(help: "The fastest the phone can move, in metres per second; faster fixes are doubted.")
  var maximumSpeed: Double = Settings().maximumSpeed.metresPerSecond

  @Option(help: "The day of fixes that state only a time (NMEA without RMC), as YYYY-MM-DD.")
  var assumedDate: String?

  func validate() throws {
    if let hdopMetres, !(hdopMetres.isFinite && (0...10_000).contains(hdopMetres)) {
      throw ValidationError("--hdop-metres \(hdopMetres) found, 0 to 10000 allowed")
    }
    guard maximumSpeed.isFinite, maximumSpeed > 0, maximumSpeed <= 12_000 else {
      throw ValidationError("--maximum-speed \(maximumSpeed) found, above 0 and up to 12000 m/s allowed")
    }
    if let assumedDate, assumedDate.utf8.count != 10 || instant(typed: assumedDate) == nil {
      throw ValidationError("--assumed-date \(printable(assumedDate)) found, YYYY-MM-DD allowed")
    }
  }

  /// The engine's settings for this replay.
  func settings(defaultRadius: Double) -> Settings {
    var settings = Settings()
    settings.maximumSpeed = .metresPerSecond(maximumSpeed)
    settings.defaultRadius = .metres(defaultRadius)
    return settings
  }
}
