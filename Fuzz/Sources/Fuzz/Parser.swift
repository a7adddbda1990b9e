import AlarmEngine
import Formats
import Foundation
import PAD
import StreetMap

/// A parser and the properties that must hold for any bytes.
struct Parser: Sendable {
  let name: String
  let check: @Sendable ([UInt8]) -> Void

  static let all: [Parser] =
    [
      Parser(name: "events", check: events), Parser(name: "snapshot", check: snapshot),
      Parser(name: "companion", check: companion),
      Parser(name: "pad", check: pad), Parser(name: "pack", check: pack), Parser(name: "mail", check: mail),
      Parser(name: "index", check: index), Parser(name: "use", check: use),
      Parser(name: "journal", check: journal), Parser(name: "tile-archive", check: tileArchive),
      Parser(name: "vector-tile") { bytes in _ = try? VectorTile(bytes) },
      Parser(name: "token", check: token),
      Parser(name: "provider-keys") { bytes in
        guard let keys = try? SigningKeys(bytes) else { return }
        precondition(keys.keys.count <= SigningKeys.most, "more keys than allowed")
      },
      Parser(name: "provider-document") { bytes in
        guard let document = try? ProviderDocument(bytes, issuer: "https://login.example") else { return }
        for address in [document.authorization, document.token, document.keys] {
          precondition(ProviderDocument.isSafe(address), "an address that is not safe")
        }
      },
      Parser(name: "authenticator-data", check: authenticatorData),
      Parser(name: "client-data") { bytes in
        let data = try? ClientData(bytes, purpose: .signingIn, origin: "https://alarm.example")
        precondition(data?.challenge.isEmpty != true, "no challenge")
      },
    ]
    + TrackFormat.allCases.map { format in
      Parser(name: "track-\(format.rawValue)") { bytes in
        _ = try? TrackFile.read(data: Data(bytes), name: "fuzz", format: format)
      }
    }
    + ZoneFormat.allCases.filter { $0 != .pad }.map { format in
      Parser(name: "zones-\(format.rawValue)") { bytes in
        guard let file = try? ZoneFile.read(data: Data(bytes), format: format) else { return }
        for zone in file.zones { _ = try? zone.shape(defaultRadius: .metres(50)) }
      }
    }
    + PlaceFile.Format.allCases.map { format in
      Parser(name: "places-\(format.rawValue.replacing(".", with: "-"))") { bytes in
        _ = try? PlaceFile.read(data: Data(bytes), name: "fuzz", format: format) { place in
          precondition(!place.title.isEmpty && !place.id.isEmpty, "a place without a name")
        }
      }
    }
    + PhoneEndpoint.allCases.map { endpoint in
      Parser(name: "phone-\(endpoint.rawValue.replacing("/", with: "-"))") { phone($0, at: endpoint) }
    }

  @Sendable private static func events(_ bytes: [UInt8]) {
    guard let events = try? EventBytes.decode(bytes) else { return }
    precondition(EventBytes.encode(events) == bytes, "the same events have other bytes")
  }

  /// Reads a phone's request: the bytes up to the first NUL are its query, the rest its body. Each request
  /// must give a fix, a message or an issue.
  @Sendable private static func phone(_ bytes: [UInt8], at endpoint: PhoneEndpoint) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    let query = parts.count > 1 ? String(decoding: parts[0], as: UTF8.self) : ""
    let report = PhoneReport.read(
      PhoneRequest(
        endpoint: endpoint, query: query, body: parts.last ?? [],
        receivedAt: Instant(millisecondsSince1970: 1_790_000_005_000)))
    precondition(
      !report.fixes.isEmpty || !report.messages.isEmpty || !report.issues.isEmpty,
      "nothing is said of what was there")
    for fix in report.fixes { precondition(fix.key.bytes.count == 32) }
    _ = PhoneReply.stored(report)
  }

  @Sendable private static func mail(_ bytes: [UInt8]) {
    guard let mail = try? ReceivedMail(bytes) else { return }
    precondition(mail.parts.count <= ReceivedMail.maximumParts, "more parts than allowed")
    _ = mail.zones()
  }

  @Sendable private static func token(_ bytes: [UInt8]) {
    guard let token = try? SignedToken(String(decoding: bytes, as: UTF8.self)) else { return }
    precondition(!token.signature.isEmpty && bytes.starts(with: token.signedBytes), "other bytes are signed")
    let claims = try? IdentityClaims(
      token, issuer: "https://login.example", client: "alarm", nonce: "n",
      at: Instant(millisecondsSince1970: 1_790_000_005_000))
    precondition(claims?.subject.isEmpty != true, "nobody is meant")
  }

  /// Checks that a key that was read as part of the data can be read alone.
  @Sendable private static func authenticatorData(_ bytes: [UInt8]) {
    for data in [try? AuthenticatorData(bytes), try? AuthenticatorData(attestationObject: bytes)] {
      guard let credential = data?.credential else { continue }
      precondition(!credential.id.isEmpty && (try? PasskeyPublicKey(cose: credential.publicKey)) != nil)
    }
  }

  @Sendable private static func tileArchive(_ bytes: [UInt8]) {
    guard let archive = try? TileArchive(Data(bytes)) else { return }
    for zoom in archive.zooms.prefix(16) {
      for place in [0, 1, (1 << zoom) - 1] {
        guard let tile = try? archive.tile(zoom: zoom, x: place, y: place) else { continue }
        _ = try? VectorTile(tile)
      }
    }
  }

  /// Checks that zones survive being written as PAD and read again.
  @Sendable private static func pad(_ bytes: [UInt8]) {
    let zones = PADReader.read(bytes).zones
    let writer = PADWriter.write(zones)
    guard writer.issues.isEmpty else { return }
    let again = PADReader.read(writer.bytes)
    precondition(again.zones == zones, "the same zones are read back as others")
  }

  /// Checks that a pack has one encoding only, that its entries can be used as zones, and that applying the
  /// same changes twice equals applying them once.
  @Sendable private static func pack(_ bytes: [UInt8]) {
    guard let sealed = try? SealedPack(bytes) else { return }
    precondition(
      sealed.pack.signedBytes(keyID: sealed.keyID) == Array(sealed.signed),
      "a pack was read from other bytes than it is written as")
    let (entries, removed): ([ZonePack.Entry], [ZoneID]) =
      switch sealed.pack.content {
      case .whole(let all): (all, [])
      case .changes(_, let changed, let removed): (changed, removed)
      }
    for entry in entries {
      if let zone = try? entry.zone() { _ = try? zone.shape(defaultRadius: .metres(50)) }
    }
    let merged = ZonePack.applying(changed: entries, removed: removed, to: entries)
    precondition(merged == entries, "the same changes twice are others than once")
  }
}
