import AlarmEngine
import CommandLineSupport
import Formats

extension InputFiles {
  /// Reads the named files and replays them: tracks through the zones, or a phone's journal as on the phone.
  ///
  /// - Parameters:
  ///   - name: the name of the tracks, for the progress bar.
  ///   - check: called with the zones before the tracks are read.
  /// - Throws: `ReadError` if nothing can be read, `UsageError` if zones are missing, `CancellationError`
  ///   after Control-C.
  mutating func replay(
    _ trackOptions: TrackOptions, through zoneOptions: TrackZoneOptions, named name: String,
    on console: Console,
    check: (_ zones: [PlacedZone]) throws -> Void = { _ in }
  ) throws -> ReplayRun {
    let hasZones = !zoneOptions.files.isEmpty
    let zones = hasZones ? try zones(zoneOptions.files, zoneOptions.reading) : []
    if hasZones { try check(zones) }
    let track = try track(trackOptions)
    let progress = ProgressBar("Replaying \(printable(name))", in: .fixes, on: console)
    defer { progress.finish() }
    if hasZones {
      return try ReplayRun(
        track: track, zones: zones,
        settings: try trackOptions.settings(defaultRadius: zoneOptions.reading.radius),
        hdopMetres: trackOptions.hdopMetres, progress: progress.step)
    }
    guard let phone = track.phone else { throw UsageError(TrackZoneOptions.missing) }
    guard phone.knowsZones else {
      throw UsageError(
        "--zones is missing: this journal begins after the zones were set; a journal saved by the app contains them"
      )
    }
    return try ReplayRun(phone: phone, track: track, progress: progress.step)
  }
}
