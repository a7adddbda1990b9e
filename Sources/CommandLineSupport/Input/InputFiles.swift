import AlarmEngine
import ArgumentParser
import Formats
import Foundation
import Geometry

/// Reads the files that a command names, and reports every error in them.
package struct InputFiles {
  private let console: Console
  /// True if a part of the input had to be left out.
  package private(set) var hasFindings = false
  /// The zones that were left out or interpreted in another way, with the reason.
  package private(set) var zoneProblems: [ZoneProblem] = []
  /// The most issues printed per file: the same error on every line need not fill the screen. The count is
  /// always printed.
  private static let toldPerFile = 100

  package init(console: Console) { self.console = console }

  /// The exit status of the command if no other error occurs.
  package var status: ExitStatus { hasFindings ? .findings : .ok }

  /// The fixes of all named tracks, by device.
  /// - Throws: `ReadError` when nothing can be read, `CancellationError` after Control-C.
  package mutating func track(_ options: TrackOptions) throws -> TrackFile {
    var merged = MergedTracks(areSeveral: options.tracks.count > 1)
    for path in options.tracks { merged.add(try track(path, options), of: path) }
    for words in merged.shared { console.complain(words) }
    var track = merged.track
    track.phone = merged.phone
    return track
  }

  private mutating func track(_ path: String, _ options: TrackOptions) throws -> TrackFile {
    let progress = ProgressBar("Reading \(Self.name(path))", on: console)
    defer { progress.finish() }
    let file: TrackFile
    do {
      file = try Self.reading(path) { url in
        try TrackFile.read(
          contentsOf: url, format: options.format,
          assumedDate: options.assumedDate.flatMap { instant(typed: $0) },
          progress: progress.step)
      }
    } catch let error as ReadError {
      // A file with wrong times is a track nevertheless.
      let isTrack = error.description.contains("times found")
      throw !isTrack && Self.holdsZones(path) ? Self.swapped(error, "zones") : error
    }
    progress.finish()
    tell(file.issues, of: path)
    guard file.devices.contains(where: { !$0.points.isEmpty }) else {
      let error = ReadError("\(path): no fix found")
      throw Self.holdsZones(path) ? Self.swapped(error, "zones") : error
    }
    return file
  }

  /// All zones of all files, in order. Zones without an area are reported and left out.
  /// - Throws: `ReadError` when nothing can be read, `CancellationError` after Control-C.
  package mutating func zones(_ options: ZoneOptions) throws -> [PlacedZone] {
    try zones(options.files, options.reading)
  }

  package mutating func zones(_ paths: [String], _ reading: ZoneReadingOptions) throws -> [PlacedZone] {
    var placed: [PlacedZone] = []
    for path in paths {
      let file = try Self.zones(path, reading, on: console)
      tell(file.issues, of: path)
      zoneProblems += file.issues.filter { $0.severity == .error }.map {
        ZoneProblem($0, in: Self.name(path))
      }
      for zone in file.zones {
        do {
          let outline = Outline(try zone.shape(defaultRadius: reading.radius))
          placed.append(PlacedZone(zone: zone, outline: outline))
        } catch {
          hasFindings = true
          zoneProblems.append(
            ZoneProblem(UnwatchedZone(name: zone.name, reason: error.message, isRefused: true)))
          console.complain("\(printable(path)): error: zone \(displayName(zone.name)): \(error.message)")
        }
      }
    }
    guard !placed.isEmpty else {
      throw ReadError("\(paths.joined(separator: ", ")): no zone found")
    }
    return placed
  }

  /// - Throws: `ReadError` when nothing can be read, `CancellationError` after Control-C.
  package static func zones(
    _ path: String, _ options: ZoneReadingOptions, keepsForeign: Bool = false, on console: Console
  ) throws -> ZoneFile {
    let progress = ProgressBar("Reading \(name(path))", on: console)
    defer { progress.finish() }
    do {
      return try reading(path) { url in
        var file = try ZoneFile.read(
          contentsOf: url, format: options.format, defaultRadius: options.radius, keepsForeign: keepsForeign,
          progress: progress.step)
        file.fillTimeZones()
        return file
      }
    } catch let error as ReadError {
      throw holdsTrack(path) ? swapped(error, "a track") : error
    }
  }

  /// Reports the zones that cannot ring although their files could be read.
  package mutating func tell(_ unwatched: [UnwatchedZone]) {
    for zone in unwatched {
      zoneProblems.append(ZoneProblem(zone))
      if zone.isRefused {
        hasFindings = true
        console.complain("error: zone \(displayName(zone.name)) is not watched: \(zone.reason)")
      } else {
        console.complain("warning: zone \(displayName(zone.name)) \(zone.reason)")
      }
    }
  }

  // MARK: Arguments in each other's place

  private static func holdsZones(_ path: String) -> Bool {
    guard path != standardInput, let file = try? ZoneFile.read(contentsOf: URL(fileURLWithPath: path)) else {
      return false
    }
    return !file.zones.isEmpty
  }

  private static func holdsTrack(_ path: String) -> Bool {
    guard path != standardInput, let file = try? TrackFile.read(contentsOf: URL(fileURLWithPath: path)) else {
      return false
    }
    return file.devices.contains { !$0.points.isEmpty }
  }

  private static func swapped(_ error: ReadError, _ holds: String) -> ReadError {
    ReadError("\(error.description). It contains \(holds): name the track first, and zones after --zones")
  }

  // MARK: Standard input

  package static let standardInput = "-"

  /// - Throws: `ValidationError` if standard input is named twice.
  package static func checkStandardInput(_ paths: [String]) throws {
    guard paths.count(where: { $0 == standardInput }) < 2 else {
      throw ValidationError("- is standard input, which can be read only once: use it for one file")
    }
  }

  /// Prefixes errors with the file's name. `-` is standard input.
  private static func reading<File>(_ path: String, _ read: (URL) throws -> File) throws -> File {
    if path == standardInput {
      do { return try read(URL(fileURLWithPath: "/dev/stdin")) } catch let error as ReadError {
        throw ReadError("standard input: \(error.description)")
      }
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !FileManager.default.fileExists(atPath: folder) {
      throw ReadError("\(path): there is no folder \(folder)")
    }
    do { return try read(URL(fileURLWithPath: path)) } catch let error as ReadError {
      let named = error.description.contains(path) || error.description.hasPrefix(name(path))
      throw named ? error : ReadError("\(path): \(error.description)")
    } catch let error as CancellationError {
      throw error
    } catch {
      throw ReadError("\(path): \(error.localizedDescription)")
    }
  }

  package static func name(_ path: String) -> String {
    path == standardInput ? "standard input" : printable(URL(fileURLWithPath: path).lastPathComponent)
  }

  private mutating func tell(_ issues: [ReadIssue], of path: String) {
    for issue in issues.prefix(Self.toldPerFile) { console.complain(line(for: issue, in: path)) }
    if issues.count > Self.toldPerFile {
      let rest = issues.dropFirst(Self.toldPerFile)
      let errors = rest.count { $0.severity == .error }
      console.complain(
        "\(printable(path)): and \(counted(errors, "error", "errors")) and "
          + "\(counted(rest.count - errors, "warning", "warnings")) more")
    }
    if issues.contains(where: { $0.severity == .error }) { hasFindings = true }
  }
}

/// "walk.gpx:12: warning: ...", in the format of compilers, so that editors can jump there.
package func line(for issue: ReadIssue, in path: String) -> String {
  let shown = path == InputFiles.standardInput ? "standard input" : printable(path)
  let place = issue.line.map { "\(shown):\($0)" } ?? shown
  let severity =
    switch issue.severity {
    case .warning: "warning"
    case .error: "error"
    }
  return "\(place): \(severity): \(printable(issue.message))"
}

/// A zone with its outline prepared for measuring.
package struct PlacedZone: Sendable {
  package let zone: Zone
  package let outline: Outline

  package init(zone: Zone, outline: Outline) {
    self.zone = zone
    self.outline = outline
  }

  /// The signed distance to the effective edge, with the inset applied. Inside if zero or less.
  package func effectiveDistance(from place: Coordinate) -> Distance {
    outline.signedDistance(from: place) + zone.inset
  }
}
