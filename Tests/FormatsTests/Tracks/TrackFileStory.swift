import AlarmEngine
import Foundation

@testable import Formats

/// The file as text: one line per fix, then one per issue.
func story(_ file: TrackFile) -> String {
  var lines: [String] = []
  for device in file.devices {
    if !device.name.isEmpty || file.devices.count > 1 { lines.append("[\(device.name)]") }
    lines += device.points.map(story)
  }
  for issue in file.issues {
    let place = issue.line.map { " \($0)" } ?? ""
    lines.append("\(issue.severity)\(place): \(issue.message)")
  }
  return lines.joined(separator: "\n")
}

private func story(_ point: TrackFile.Point) -> String {
  let fix = point.fix
  var words = [
    RFC3339.string(from: fix.measuredAt),
    "\(fix.position.latitude.degrees),\(fix.position.longitude.degrees)",
  ]
  if let stated = fix.accuracy.stated { words.append("±\(stated.metres)") }
  if let speed = fix.speed { words.append("\(speed.metresPerSecond)m/s") }
  if let course = fix.course { words.append("\(course.degrees)°") }
  if let hdop = point.hdop { words.append("hdop \(hdop)") }
  if fix.receivedAt != fix.measuredAt { words.append("received \(RFC3339.string(from: fix.receivedAt))") }
  return words.joined(separator: " ")
}

/// Reads `text` in pieces of `chunk` bytes.
func read(
  _ text: String, as format: TrackFormat, chunk: Int = 1 << 18, assumedDate: String? = nil
) throws -> TrackFile {
  try read(Data(text.utf8), as: format, chunk: chunk, assumedDate: assumedDate)
}

func read(
  _ data: Data, as format: TrackFormat?, chunk: Int = 1 << 18, assumedDate: String? = nil
) throws -> TrackFile {
  try TrackFile.read(
    ByteSource(data: data, name: "", chunkSize: chunk, progress: nil), format: format,
    assumedDate: assumedDate.flatMap { RFC3339.instant(from: $0 + "T00:00:00Z") })
}

/// The story, or the error thrown.
func story(_ text: String, as format: TrackFormat, chunk: Int = 1 << 18, assumedDate: String? = nil) -> String
{
  do { return story(try read(text, as: format, chunk: chunk, assumedDate: assumedDate)) } catch {
    return "\(error)"
  }
}
