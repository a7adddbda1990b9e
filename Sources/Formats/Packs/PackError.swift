import AlarmEngine
import PAD

/// The reason why a pack is refused. Nothing of it is used then, and the zones of an earlier pack stay in
/// force.
public enum PackError: Error, Hashable, Sendable {
  /// The file does not begin like a pack.
  case notAPack
  /// The file ends too early, or goes on after its end; `at` is the byte offset.
  case cutOff(at: Int)
  case bytesLeftOver(at: Int, count: Int)
  case tooLarge(bytes: Int, allowed: Int)
  /// The format is that of a later program.
  case unknownFormat(found: UInt8, known: UInt8)
  /// A part violates the format.
  case malformed(what: Part, at: Int)
  case tooManyZones(found: Int, allowed: Int)
  /// A byte was changed, or the pack was signed without the key.
  case wrongSignature
  /// The pack is signed by another key than the followed one.
  case otherKey(found: [UInt8], expected: [UInt8])
  /// A change of the publisher's key that the key before it has not signed.
  case forgedKeyChange(from: [UInt8], to: [UInt8])
  case otherCollection(found: UInt64, expected: UInt64)
  /// The version is older than the one held.
  case older(found: PackVersion, held: PackVersion)
  /// The changes are relative to another version than the one held.
  case otherBase(found: PackVersion, held: PackVersion?)
  /// The zones do not match the signed digest.
  case otherZones
  /// A zone that this program cannot read.
  case unreadableZone(ZoneID)

  /// The parts of a pack that can be malformed.
  public enum Part: String, Hashable, Sendable {
    case kind, reserved, keyID, version, base, times, text, keyChanges, order, removed
  }

  /// One sentence for people.
  public var message: String {
    switch self {
    case .notAPack: "this is no pack of zones"
    case .cutOff(let at): "the pack is cut off: it ends at byte \(at)"
    case .bytesLeftOver(let at, let count):
      "\(count) bytes found after the end of the pack at byte \(at), none allowed"
    case .tooLarge(let bytes, let allowed): "\(bytes) bytes found, \(allowed) allowed"
    case .unknownFormat(let found, let known):
      "format \(found) found, up to \(known) known: a newer program is needed"
    case .malformed(let part, let at): "\(part.words) at byte \(at) is malformed"
    case .tooManyZones(let found, let allowed): "\(found) zones found, \(allowed) allowed"
    case .wrongSignature: "the signature is wrong: the pack was changed on its way, or is forged"
    case .otherKey(let found, let expected):
      """
      signed by the key \(Self.short(found)); the key that is followed is \(Self.short(expected)), and has not named it as \
      its successor
      """
    case .forgedKeyChange(let old, let new):
      "the change of the key to \(Self.short(new)) is not signed by the key \(Self.short(old)) before it"
    case .otherCollection(let found, let expected):
      "collection \(Self.hexadecimal(found)) found, \(Self.hexadecimal(expected)) is followed"
    case .older(let found, let held): "version \(found) found, which is older than version \(held) held here"
    case .otherBase(let found, let held):
      "changes since version \(found) found, \(held.map { "version \($0)" } ?? "nothing") held here"
    case .otherZones: "the zones are not those that were signed"
    case .unreadableZone(let id): "zone \(id) cannot be read"
    }
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns the first 8 bytes of a key in hexadecimal, for people to compare.
  private static func short(_ key: [UInt8]) -> String {
    key.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension PackError.Part {
  fileprivate var words: String {
    switch self {
    case .kind: "the kind"
    case .reserved: "a reserved byte"
    case .keyID: "the key's id"
    case .version: "the version"
    case .base: "the version that the changes are since"
    case .times: "a time"
    case .text: "a text"
    case .keyChanges: "a change of the publisher's key"
    case .order: "the order of the zones"
    case .removed: "the list of removed zones"
    }
  }
}
