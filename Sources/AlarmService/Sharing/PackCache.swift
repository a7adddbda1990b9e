import AlarmEngine
import Formats
import NIOConcurrencyHelpers
import PAD
import Packs
import Store

/// Publishes packs: updates a pack on request, signs it, and caches it for further requests.
package final class PackCache: Sendable {
  /// A signed file.
  package struct Issue: Hashable, Sendable {
    /// The tag of the file. It differs for each version, and each time a version is made anew.
    package let tag: String
    package let bytes: [UInt8]
  }

  /// The age at which a pack is made anew even if nothing has changed. A client that fetches each day
  /// therefore always has a pack that is valid for at least ``lasts`` less a day.
  package static let renewedAfter = TimeSpan.hours(24)
  /// The time after which a pack that was not renewed is out of date.
  package static let lasts = TimeSpan.hours(7 * 24)
  /// The most bytes in the cache.
  private static let mostKept = 64 << 20

  private struct Kept {
    let tag: String
    /// The files by the version they begin from; the whole pack under nil.
    var issues: [PackVersion?: Issue] = [:]
  }

  private let store: SQLStore
  private let kept = NIOLockedValueBox<(packs: [String: Kept], bytes: Int)>(([:], 0))

  package init(store: SQLStore) { self.store = store }

  /// Returns the private key with which an account signs. It is made when it is first needed.
  package func key(of account: AccountID, now: Instant) async throws -> PackKey {
    try Self.key(try await store.packKey(of: account, orElse: PackKey().bytes, at: now))
  }

  /// Returns the key of an account that has one.
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

  /// Replaces the signing key. The old key names the new one as its successor in every pack, so that
  /// followers need not do anything.
  ///
  /// - Parameter id: the id of the present key. If it is the id of the key before, the change was made
  ///   already, and nothing is done.
  /// - Returns: the account's key, and whether it is the successor of `id`.
  /// - Throws: `StoreError.notFound` if the account has no key.
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
    // The change was made already, by a repeated request or by another process.
    let key = try await key(of: account)
    return (key, key.changes.last.map { PackDigest.keyID(of: $0.old) == id } ?? false)
  }

  /// Returns the pack at an address, up to date.
  /// - Throws: `StoreError.notFound`.
  package func current(at address: String, now: Instant) async throws -> PublishedPack {
    let pack = try await store.pack(at: address)
    // If the clock was set back, no pack counts as old.
    guard pack.isStale || now - pack.madeAt >= Self.renewedAfter else { return pack }
    return try await store.renewPack(at: address, now: now) { zone in
      zone.zone.map { ZonePack.Entry(publishing: $0).pad }
    }
  }

  package static func tag(_ pack: PublishedPack) -> String {
    "\(pack.version)-\(pack.madeAt.millisecondsSince1970)"
  }

  /// Returns a pack's file: the changes since a version if they are smaller than the whole, else the whole.
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

  /// - Throws: `PackError` if the file would be larger than a pack may be.
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
      // If most of the collection has changed, the whole pack is smaller.
      if changed.count + removed.count < max(1, entries.count) {
        return try key.seal(head, since: since, changed: changed, removed: removed, of: entries)
      }
    }
    return try key.seal(head, whole: entries)
  }
}

extension String {
  /// Returns the text cut to at most `most` bytes of UTF-8, at a character's end.
  fileprivate func shortened(_ most: Int) -> String {
    guard utf8.count > most else { return self }
    var text = String(prefix(most))
    while text.utf8.count > most { text.removeLast() }
    return text
  }
}
