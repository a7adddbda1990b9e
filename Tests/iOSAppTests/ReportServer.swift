import AppleFakes
import Foundation
import PhoneHost
import PhoneSimulator
import Testing

import struct FoundationNetworking.URLRequest

@testable import ProximityApp

/// One of our servers as the app sees it: it keeps each position once, however often it is sent.
@MainActor
final class ReportServer {
  var answer = FakeNetwork.Answer.status(200)
  /// Times of positions in milliseconds since 1970, in the order of their first arrival.
  private(set) var known: [Int64] = []
  private(set) var requests: [URLRequest] = []
  private(set) var largest = 0
  var token = "secret"
  /// True to answer 200 to every address and token, without reading anything.
  var takesAll = false

  func serve(_ request: URLRequest, _ body: Data) -> FakeNetwork.Answer {
    requests.append(request)
    if takesAll { return .status(200) }
    guard case .status(200) = answer else { return answer }
    guard request.url?.absoluteString == "https://example.org/home/api/v1/fixes",
      request.httpMethod == "POST",
      request.value(forHTTPHeaderField: "Content-Type") == "application/x-ndjson"
    else { return .status(404) }
    guard request.value(forHTTPHeaderField: "Authorization") == "Bearer \(token)" else { return .status(401) }
    largest = max(largest, body.count)
    for line in body.split(separator: UInt8(ascii: "\n")) {
      // A line that was cut off by a kill is refused, as by the real server; the request's other lines count.
      guard let fields = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
        let time = (fields["measured_at"] as? NSNumber)?.int64Value
      else { continue }
      if !known.contains(time) { known.append(time) }
    }
    return .status(200)
  }
}
