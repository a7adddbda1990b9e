import AlarmEngine
import ArgumentParser
import Formats
import Foundation

/// The time zone of times printed for people. Programs get UTC.
package enum PrintedZone {
  @TaskLocal package static var current = TimeZone.gmt

  /// "UTC" or "Europe/Berlin"
  package static var words: String { isUTC ? "UTC" : current.identifier }
  package static var isUTC: Bool { current == .gmt }

  /// Whole minutes, as in RFC 3339: zones of the 19th century had seconds.
  package static func secondsFromUTC(at instant: Instant, in zone: TimeZone = current) -> Int {
    if zone == .gmt { return 0 }
    let seconds = zone.secondsFromGMT(for: Date(timeIntervalSince1970: instant.secondsSince1970))
    return seconds / 60 * 60
  }

  /// The instant at which clocks in a zone show the time that UTC shows at `utc`. If the clocks are set back
  /// and show it twice, the first one counts. If they are set forward over it, they count as not set yet.
  package static func instant(shownAs utc: Instant, in zone: TimeZone) -> Instant {
    let before = secondsFromUTC(at: utc - .hours(24), in: zone)
    for seconds in [before, secondsFromUTC(at: utc + .hours(24), in: zone)] {
      let candidate = utc - .seconds(Double(seconds))
      if secondsFromUTC(at: candidate, in: zone) == seconds { return candidate }
    }
    return utc - .seconds(Double(before))
  }

  /// The changes of the clocks within a span, with the offset from then on; the first entry is the span's
  /// start.
  package static func offsets(from start: Instant, to end: Instant) -> [(from: Instant, seconds: Int)] {
    var offsets = [(from: start, seconds: secondsFromUTC(at: start))]
    var time = start
    while !isUTC, offsets.count < most,
      let next = current.nextDaylightSavingTimeTransition(
        after: Date(timeIntervalSince1970: time.secondsSince1970))
    {
      time = Instant(millisecondsSince1970: Int64((next.timeIntervalSince1970 * 1000).rounded()))
      guard time > offsets.last!.from, time <= end else { break }
      offsets.append((time, secondsFromUTC(at: time)))
    }
    return offsets
  }
  private static let most = 1000
}

extension Instant {
  fileprivate var secondsSince1970: Double { Double(millisecondsSince1970) / 1000 }
}

/// `--time-zone`, for commands that print times.
package struct PrintedZoneOptions: ParsableArguments {
  @Option(
    help:
      "Time zone of printed times, such as Europe/Berlin, or local for this machine's. Default: UTC."
  )
  package var timeZone: String?

  package func validate() throws { _ = try zone() }

  package func zone() throws -> TimeZone {
    guard let timeZone else { return .gmt }
    if timeZone == "local" { return .current }
    if ["UTC", "GMT", "Z"].contains(timeZone.uppercased()) { return .gmt }
    let known = TimeZone.knownTimeZoneIdentifiers
    if let name = known.first(where: { $0.lowercased() == timeZone.lowercased() }),
      let zone = TimeZone(identifier: name)
    {
      return zone
    }
    // Former names of zones are not listed among the known ones.
    if timeZone.contains("/"), let zone = TimeZone(identifier: timeZone) { return zone }
    let written = timeZone.replacing(" ", with: "_")
    // A town may also be given alone.
    let towns = known.map { String($0.split(separator: "/").last ?? "") }
    let town = nearestName(to: written, among: towns).flatMap(towns.firstIndex)
    let meant = town.map { known[$0] } ?? nearestName(to: written, among: known)
    throw ValidationError(
      "--time-zone \(printable(timeZone)) found, "
        + (meant.map { "which is not known; did you mean \($0)?" }
          ?? "names such as Europe/Berlin, UTC and local allowed"))
  }

  /// Runs the work with times printed in that zone.
  package func telling<Answer>(_ work: () throws -> Answer) throws -> Answer {
    try PrintedZone.$current.withValue(try zone(), operation: work)
  }

  package init() {}
}
