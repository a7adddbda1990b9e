import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads all bytes of a request, decompressed if necessary, with limits of size and time.
enum RequestBody {
  enum Refusal: Error, Equatable {
    case tooLarge(allowed: Int)
    case tooSlow(allowedSeconds: Int)
    case encoding(String)
    case damaged(encoding: String)

    var problem: Problem {
      switch self {
      case .tooLarge(let allowed): Problem(.tooLarge, "more than \(allowed) bytes found, \(allowed) allowed")
      case .tooSlow(let seconds): Problem(.tooSlow, "the body took more than \(seconds) s")
      case .encoding(let given):
        Problem(
          .unsupportedMediaType,
          "Content-Encoding \(given.excerpt(60)) found, gzip, deflate or none allowed")
      case .damaged(let encoding):
        Problem(.malformed, "the body cannot be decompressed as its Content-Encoding \(encoding)")
      }
    }
  }

  /// - Throws: `Refusal`, or the error that ended the connection.
  static func collect(_ request: Request, upTo maximum: Int, within seconds: Int) async throws -> [UInt8] {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximum {
      throw Refusal.tooLarge(allowed: maximum)
    }
    let bytes = try await BodyDeadlines.shared.run(within: seconds) {
      do {
        return Array(buffer: try await request.body.collect(upTo: maximum))
      } catch is NIOTooManyBytesError { throw Refusal.tooLarge(allowed: maximum) }
    }
    guard let bytes else { throw Refusal.tooSlow(allowedSeconds: seconds) }
    return try unpacked(bytes, request.headers[.contentEncoding], upTo: maximum)
  }

  private static func unpacked(
    _ bytes: [UInt8], _ header: String?, upTo maximum: Int
  ) throws(Refusal) -> [UInt8] {
    let encoding = (header ?? "").lowercased().filter { $0 != " " }
    switch encoding {
    case "", "identity": return bytes
    case "gzip", "x-gzip", "deflate":
      guard !bytes.isEmpty else { return bytes }
      do throws(CompressedBody.Refusal) {
        return try CompressedBody.inflated(bytes, limit: maximum)
      } catch {
        switch error {
        case .damaged: throw .damaged(encoding: encoding)
        case .tooLarge(let allowed): throw .tooLarge(allowed: allowed)
        }
      }
    default: throw .encoding(header ?? "")
    }
  }
}
