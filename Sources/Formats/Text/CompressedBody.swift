/// What came compressed, as `Content-Encoding: gzip` or `deflate` has it.
public enum CompressedBody {
  public enum Refusal: Error, Equatable, Sendable {
    /// Not what the header of the format says, or cut off.
    case damaged
    /// Bytes; it is more when unpacked.
    case tooLarge(allowed: Int)
  }

  /// - Parameter limit: bytes that may come out.
  /// - Complexity: memory for what comes out, and no more than a few hundred kilobytes beyond `limit`.
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
