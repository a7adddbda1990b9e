import AppleTwins
import Foundation
import PhoneHost
import PhoneSimulator
import Testing

import struct FoundationNetworking.URLRequest

@testable import ProximityApp

/// A server of ours as the app sees it: it keeps each position once, however often it comes.
@MainActor
final class ReportServer {
  var answer = TwinNetwork.Answer.status(200)
  /// Times of positions, in milliseconds since 1970, in the order in which they came first.
  private(set) var known: [Int64] = []
  private(set) var requests: [URLRequest] = []
  private(set) var largest = 0
  var token = "secret"
  /// Says 200 to every address and every token, and reads nothing.
  var takesAll = false

  func serve(_ request: URLRequest, _ body: Data) -> TwinNetwork.Answer {
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
      // A line that a kill cut is refused, as the real server does; the others of the request count.
      guard let fields = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
        let time = (fields["measured_at"] as? NSNumber)?.int64Value
      else { continue }
      if !known.contains(time) { known.append(time) }
    }
    return .status(200)
  }
}
