import Geometry

/// Inputs as bytes, as a phone keeps them in its journal: equal inputs have equal bytes.
///
/// Little-endian, numbers as in ``EventBytes``: the version (1), the number of inputs in 32 bits, then each
/// input as in a snapshot.
public enum InputBytes {
  public static let version: UInt8 = 1

  /// - Precondition: `Command.replaceZones` is not among them; sets of zones are kept by ``ZoneListBytes``.
  public static func encode(_ inputs: [Input]) -> [UInt8] {
    var writer = FieldWriter()
    writer.byte(version)
    writer.count(inputs.count)
    for input in inputs { writer.input(.input(input)) }
    return writer.bytes
  }

  /// Decodes bytes that `encode` wrote, and refuses all others.
  ///
  /// - Throws: the first error, and its offset.
  /// - Complexity: linear in the bytes, whatever counts they claim.
  public static func decode(_ bytes: [UInt8]) throws(EventBytesError) -> [Input] {
    var reader = EventReader(bytes)
    let found = try reader.byte()
    guard found == version else { throw EventBytesError(.version(given: found), at: 0) }
    // A command without arguments is the shortest input: two kinds and a time.
    let count = try reader.count(ofAtLeast: 1 + 8 + 1)
    var inputs: [Input] = []
    inputs.reserveCapacity(count)
    for _ in 0..<count {
      let start = reader.offset
      guard case .input(let input) = try reader.input() else {
        throw EventBytesError(.unknown(.input, given: InputByte.replaceZones.rawValue), at: start)
      }
      inputs.append(input)
    }
    guard reader.remaining == 0 else {
      throw EventBytesError(.bytesLeft(given: reader.remaining), at: reader.offset)
    }
    return inputs
  }
}
