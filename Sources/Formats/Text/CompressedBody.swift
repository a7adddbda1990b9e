/// Decompresses a body with `Content-Encoding: gzip` or `deflate`.
public enum CompressedBody {
  public enum Refusal: Error, Equatable, Sendable {
    /// The data does not match its header, or is truncated.
    case damaged
    /// The output would exceed the allowed number of bytes.
    case tooLarge(allowed: Int)
  }

  /// - Parameter limit: the largest output in bytes.
  /// - Complexity: memory for the output, at most a few hundred kilobytes beyond `limit`.
  public static func inflated(_ bytes: [UInt8], limit: Int) throws(Refusal) -> [UInt8] {
    do {
      let inflater = try GzipInflater(limit: limit)
      var output: [UInt8] = []
      var start = 0
      while start < bytes.count {
        let end = min(start + chunk, bytes.count)
        do { output += try inflater.inflate(bytes[start..<end]) } catch {
          throw inflater.produced > limit ? Refusal.tooLarge(allowed: limit) : .damaged
        }
        start = end
      }
      guard inflater.isAtEnd else { throw Refusal.damaged }
      return output
    } catch let refusal as Refusal {
      throw refusal
    } catch { throw .damaged }
  }

  private static let chunk = 65_536
}
