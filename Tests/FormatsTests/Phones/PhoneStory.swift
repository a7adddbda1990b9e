import AlarmEngine
import Geometry

@testable import Formats

/// Arrival of all requests in these tests, 2026-09-21T14:13:25Z.
let phoneArrival = Instant(millisecondsSince1970: 1_790_000_005_000)

func phoneRequest(
  _ path: String, query: String = "", headers: [String: String] = [:], _ body: String = ""
) -> PhoneRequest {
  phoneRequest(path, query: query, headers: headers, bytes: Array(body.utf8))
}

func phoneRequest(
  _ path: String, query: String = "", headers: [String: String] = [:], bytes: [UInt8]
) -> PhoneRequest {
  guard
    let request = PhoneRequest(
      path: path, query: query,
      header: { name in headers.first { $0.key.lowercased() == name.lowercased() }?.value }, body: bytes,
      receivedAt: phoneArrival)
  else { preconditionFailure("\(path) is no phone's path") }
  return request
}

func phoneReport(
  _ path: String, query: String = "", headers: [String: String] = [:], _ body: String = ""
) -> PhoneReport {
  .read(phoneRequest(path, query: query, headers: headers, body))
}

/// All of a report, in lines: the claim, fixes, messages, issues.
func phoneStory(_ report: PhoneReport) -> String {
  var who: [String] = []
  if let user = report.claim.user { who.append("user \(user)") }
  if let device = report.claim.device { who.append("device \(device)") }
  if let trackerID = report.claim.trackerID { who.append("tid \(trackerID)") }
  if let token = report.claim.token { who.append("token \(token)") }
  if let unique = report.claim.uniqueID { who.append("unique \(unique)") }
  var lines = [who.joined(separator: ", ")]
  lines += report.fixes.map(phoneStory)
  if report.duplicates > 0 { lines.append("\(report.duplicates) again") }
  lines += report.messages.map { "\($0)".replacing("Formats.", with: "") }
  lines += report.issues.map { issue in
    "\(issue.severity)\(issue.line.map { " \($0)" } ?? ""): \(issue.message)"
  }
  return lines.joined(separator: "\n")
}

private func phoneStory(_ reported: ReportedFix) -> String {
  let (fix, details, state) = (reported.fix, reported.details, reported.details.state)
  var words = [
    RFC3339.string(from: fix.measuredAt),
    "\(fix.position.latitude.degrees),\(fix.position.longitude.degrees)",
  ]
  if let stated = fix.accuracy.stated { words.append("±\(stated.metres)") }
  if let speed = fix.speed { words.append("\((speed.metresPerSecond * 100).rounded() / 100)m/s") }
  if let course = fix.course { words.append("\(course.degrees)°") }
  if reported.accuracyBasis != .stated { words.append("\(reported.accuracyBasis)") }
  if reported.timeBasis != .measured { words.append("now") }
  if details.isCurrent { words.append("current") }
  if let altitude = details.altitude { words.append("alt \(altitude.metres)") }
  if let accuracy = details.verticalAccuracy { words.append("±\(accuracy.metres)") }
  if let trigger = details.trigger { words.append("\(trigger)") }
  if let satellites = details.satellites { words.append("sat \(satellites)") }
  if !details.regions.isEmpty { words.append("in \(details.regions.joined(separator: "+"))") }
  if !details.regionIDs.isEmpty { words.append("rids \(details.regionIDs.joined(separator: "+"))") }
  if let id = details.messageID { words.append("id \(id)") }
  if let created = details.createdAt { words.append("made \(RFC3339.string(from: created))") }
  if let device = details.device { words.append("by \(device)") }
  if let battery = state.battery { words.append("battery \(battery)") }
  if let charging = state.isCharging { words.append(charging ? "charging" : "unplugged") }
  if let connection = state.connection { words.append("\(connection)") }
  words += state.motion
  if let monitoring = state.monitoring { words.append("\(monitoring)") }
  if let alarm = state.alarm { words.append("ALARM \(alarm)") }
  if let mock = state.isMock { words.append(mock ? "mock" : "real") }
  words += state.attributes.map { "\($0.name)=\($0.value)" }
  if fix.receivedAt != phoneArrival { words.append("received \(RFC3339.string(from: fix.receivedAt))") }
  return words.joined(separator: " ")
}
