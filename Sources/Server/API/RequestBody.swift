import Hummingbird
import NIOCore

/// All bytes of a request, bounded in size and time.
enum RequestBody {
  enum Refusal: Error, Equatable {
    case tooLarge(allowed: Int)
    case tooSlow(allowedSeconds: Int)

    var problem: Problem {
      switch self {
      case .tooLarge(let allowed): Problem(.tooLarge, "more than \(allowed) bytes found, \(allowed) allowed")
      case .tooSlow(let seconds): Problem(.tooSlow, "the body took more than \(seconds) s")
      }
    }
  }

  /// - Throws: `Refusal`, and whatever ends the connection.
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
    return bytes
  }
}
