import AlarmEngine
import Formats
import NIOConcurrencyHelpers
import PAD
import Packs
import Store

/// Packs as they are given out: brought up to date when somebody asks, signed, and kept ready for those who ask next.
package final class PackShelf: Sendable {
  /// A signed file.
  package struct Issue: Hashable, Sendable {
    /// Another for each version, and each time that a version is made anew.
    package let tag: String
    package let bytes: [UInt8]
  }

  /// A pack is made anew after this, though nothing has changed: whoever asks each day always holds one that lasts
  /// ``lasts`` less a day.
  package static let renewedAfter = TimeSpan.hours(24)
  /// A pack that was not renewed for so long is out of date.
  package static let lasts = TimeSpan.hours(7 * 24)
  /// Bytes that are kept ready.
  private static let mostKept = 64 << 20

  private struct Kept {
    let tag: String
    /// The whole under nil.
    var issues: [PackVersion?: Issue] = [:]
  }

  private let store: SQLStore
  private let kept = NIOLockedValueBox<(packs: [String: Kept], bytes: Int)>(([:], 0))

  package init(store: SQLStore) { self.store = store }

  /// The private key with which an account signs; made when it is first needed.
  package func key(of account: AccountID, now: Instant) async throws -> PackKey {
    try Self.key(try await store.packKey(of: account, orElse: PackKey().bytes, at: now))
  }

  /// The same of an account that has one.
  /// - Throws: `StoreError.notFound`.
  package func key(of account: AccountID) async throws -> PackKey {
    try Self.key(try await store.packKey(of: account))
  }

  private static func key(_ stored: StoredPackKey) throws(StoreError) -> PackKey {
    var changes: [PackKeyChange] = []
    do throws(PackError) {
      for bytes in stored.changes { changes.append(try PackKeyChange(bytes[...])) }
    } catch { throw StoreError.corrupted(detail: "a change of the key of packs: \(error.message)") }
    do throws(PackKeyError) { return try PackKey(bytes: stored.secret, changes: changes) } catch {
      throw StoreError.corrupted(detail: "the key of packs: \(error.message)")
    }
  }

  /// Signs by a new key from now on, which the present one names as its successor in every pack: followers go on by
  /// themselves.
  ///
  /// - Parameter id: of the present key. Where it is that of the key before, the change was made already, and nothing is
  ///   done.
  /// - Returns: the account's key and whether it is one that follows `id`.
  /// - Throws: `StoreError.notFound` where the account has no key.
  package func changeKey(
    of account: AccountID, from id: [UInt8], now: Instant
  ) async throws -> (key: PackKey, isSuccessor: Bool) {
    let present = try await key(of: account)
    if PackDigest.keyID(of: present.publicKey) == id {
      let next: PackKey
      do throws(PackKeyError) { next = try present.successor(at: now) } catch {
        throw StoreError.corrupted(detail: "the key of packs: \(error.message)")
      }
      let isChanged = try await store.changePackKey(
        of: account, from: present.bytes,
        to: StoredPackKey(secret: next.bytes, changes: next.changes.map(\.bytes)), at: now)
      if isChanged { return (next, true) }
    }
    // Made already, by a request that is repeated or by another process.
    let key = try await key(of: account)
    return (key, key.changes.last.map { PackDigest.keyID(of: $0.old) == id } ?? false)
  }

  /// The pack under an address, up to date.
  /// - Throws: `StoreError.notFound`.
  package func current(at address: String, now: Instant) async throws -> PublishedPack {
    let pack = try await store.pack(at: address)
    // A clock that was set back makes nothing look old.
    guard pack.isStale || now - pack.madeAt >= Self.renewedAfter else { return pack }
    return try await store.renewPack(at: address, now: now) { zone in
      zone.zone.map { ZonePack.Entry(publishing: $0).pad }
    }
  }

  package static func tag(_ pack: PublishedPack) -> String {
    "\(pack.version)-\(pack.madeAt.millisecondsSince1970)"
  }

  /// A pack's file: what has changed since a version, where that is less than the whole.
  package func issue(_ pack: PublishedPack, since: PackVersion?, now: Instant) async throws -> Issue {
    let tag = Self.tag(pack)
    let found = kept.withLockedValue { kept -> Issue? in
      guard let known = kept.packs[pack.address], known.tag == tag else { return nil }
      return known.issues[since]
    }
    if let found { return found }
    let (pack, zones) = try await store.packedZones(at: pack.address)
    let key = try await key(of: pack.collection.owner, now: now)
    let issue = Issue(tag: Self.tag(pack), bytes: try Self.file(pack, zones, since, key))
    keep(issue, of: pack, since)
    return issue
  }

  private func keep(_ issue: Issue, of pack: PublishedPack, _ since: PackVersion?) {
    kept.withLockedValue { kept in
      if let old = kept.packs[pack.address], old.tag != issue.tag {
        kept.bytes -= old.issues.values.reduce(0) { $0 + $1.bytes.count }
        kept.packs[pack.address] = nil
      }
      if kept.bytes + issue.bytes.count > Self.mostKept { kept = ([:], 0) }
      if kept.packs[pack.address, default: Kept(tag: issue.tag)].issues.updateValue(issue, forKey: since)
        == nil
      {
        kept.bytes += issue.bytes.count
      }
    }
  }

  /// - Throws: `PackError` where it would be larger than a pack may be.
  static func file(
    _ pack: PublishedPack, _ zones: [PackedZone], _ since: PackVersion?, _ key: PackKey
  ) throws(PackError) -> [UInt8] {
    let head = ZonePack.Head(
      publicKey: key.publicKey, collection: pack.collection.id.rawValue, version: pack.version,
      madeAt: pack.madeAt, renewBy: pack.madeAt + lasts,
      name: pack.collection.name.shortened(ZonePack.maximumNameBytes),
      about: pack.collection.about.shortened(ZonePack.maximumAboutBytes),
      publisher: pack.publisher.shortened(ZonePack.maximumNameBytes))
    let entries = zones.compactMap { zone in zone.pad.map { ZonePack.Entry(id: zone.id, pad: $0) } }
    if let since, since <= pack.version {
      let later = zones.filter { $0.version > since }
      let changed = later.compactMap { zone in zone.pad.map { ZonePack.Entry(id: zone.id, pad: $0) } }
      let removed = later.filter { $0.pad == nil }.map(\.id)
      // Of a collection that is another altogether the whole is less.
      if changed.count + removed.count < max(1, entries.count) {
        return try key.seal(head, since: since, changed: changed, removed: removed, of: entries)
      }
    }
    return try key.seal(head, whole: entries)
  }
}

extension String {
  /// As many characters as fit into so many bytes.
  fileprivate func shortened(_ most: Int) -> String {
    guard utf8.count > most else { return self }
    var text = String(prefix(most))
    while text.utf8.count > most { text.removeLast() }
    return text
  }
}
