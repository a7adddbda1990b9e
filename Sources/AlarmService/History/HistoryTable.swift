import AlarmEngine
import Formats
import Foundation
import Geometry

/// The days of a device as a table, with a row for each stay, trip and gap of a day, and for each zone in
/// which time was spent.
package enum HistoryTable {
  package static let header = [
    "date", "kind", "from", "to", "seconds", "latitude", "longitude", "length_m", "zone_id", "zone",
  ]

  /// Returns the rows. Times have the offset of the time zone, so that spreadsheets and people read local
  /// times.
  package static func rows(of days: [HistoryDays.DayReport], in calendar: HistoryCalendar) -> [[String]] {
    days.flatMap { day in
      day.parts.map { row(of: $0, day.day.date, calendar) }
        + day.zones.map { zone in
          [
            day.day.date, "zone", "", "", seconds(zone.time), "", "", "", zone.zone.description,
            zone.name.string,
          ]
        }
    }
  }

  private static func row(
    of part: HistoryDays.Part, _ date: String, _ calendar: HistoryCalendar
  ) -> [String] {
    var row = [
      date, "", time(part.from, calendar), time(part.to, calendar), seconds(part.to - part.from), "", "", "",
      "", "",
    ]
    switch part.span.kind {
    case .stay(let centre, _):
      row[1] = "stay"
      row[5] = decimal(centre.latitude.degrees, 6)
      row[6] = decimal(centre.longitude.degrees, 6)
      row[8] = part.zones.first?.description ?? ""
    case .trip(let length):
      row[1] = "trip"
      row[7] = decimal(length.metres, 0)
    case .gap: row[1] = "gap"
    }
    return row
  }

  /// Returns the rows as CSV (RFC 4180). A text that a spreadsheet would read as a formula is prefixed with
  /// an apostrophe.
  package static func csv(_ rows: [[String]]) -> String {
    ([header] + rows).map { row in row.map(field).joined(separator: ",") + "\r\n" }.joined()
  }

  /// One field of such a row.
  package static func field(_ text: String) -> String {
    var text = text
    if let first = text.first, "=+-@\t\r".contains(first), Double(text) == nil { text = "'" + text }
    guard
      text.contains(where: { ",\"\r\n\r\n".contains($0) }) || text.utf8.contains(13) || text.utf8.contains(10)
    else {
      return text
    }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private static func seconds(_ time: TimeSpan) -> String { decimal(time.seconds, 0) }

  private static func decimal(_ number: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", number)
  }

  /// "2026-11-21T08:00:00+01:00"
  package static func time(_ instant: Instant, _ calendar: HistoryCalendar) -> String {
    let offset = calendar.offset(at: instant)
    let minutes = abs(offset) / 60
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return RFC3339.string(from: instant + .seconds(Double(offset))).prefix(19)
      + "\(offset < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
  }
}
