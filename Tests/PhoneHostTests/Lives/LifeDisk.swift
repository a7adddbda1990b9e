import PhoneHost

/// The app's folder on a simulated phone. A write may be cut by the end of the process, fail on a full disk, or be taken
/// back by a loss of power if nobody flushed it; files may be lost or damaged between two lives.
struct LifeDisk {
  struct Full: Error {}

  private(set) var snapshot: [UInt8]?
  private(set) var journal: [UInt8]?
  /// Former snapshots and journals, the oldest first.
  private(set) var history: [JournalExport.Part] = []
  /// A sign outside of the folder that something is watched: fences of the system, a file that is readable before the
  /// first unlock.
  var isMarkedAsWatching = false
  var isFull = false
  /// The snapshot alone has the zones: the history was lost, or did not get what a full disk refused. A second trouble would
  /// be too much.
  private var isSnapshotAlone = false
  private var hasRefused = false
  /// Bytes at the end of the journal that a loss of power takes.
  private var unflushed = 0

  /// - Parameters:
  ///   - part: of the bytes that are written before the process ends or the disk is full; 1 is all of them.
  ///   - isFlushed: false where the app is faulty.
  mutating func append(_ bytes: [UInt8], part: Double = 1, isFlushed: Bool = true) throws(Full) {
    let fitting = isFull ? min(part, 0.5) : part
    journal = (journal ?? []) + bytes.prefix(Int(Double(bytes.count) * fitting))
    unflushed = isFlushed ? 0 : unflushed + bytes.count
    if isFull {
      hasRefused = true
      throw Full()
    }
  }

  /// - Parameter step: after which the process ends: 0, the new snapshot is not complete; 1, only the history has the former
  ///   one; 2, the former journal still stands behind the new snapshot; 3, all is done.
  mutating func replace(_ bytes: [UInt8], step: Int = 3) throws(Full) {
    if isFull { throw Full() }
    guard step > 0 else { return }
    history += snapshot.map { [.snapshot($0)] } ?? []
    history += journal.map { $0.isEmpty ? [] : [.journal($0)] } ?? []
    guard step > 1 else { return }
    (isSnapshotAlone, hasRefused) = (hasRefused, false)
    snapshot = bytes
    if journal == nil { journal = [] }
    guard step > 2 else { return }
    journal = []
    unflushed = 0
  }

  mutating func loseUnflushed() {
    journal = journal.map { Array($0.dropLast(unflushed)) }
    unflushed = 0
  }

  // MARK: Damage

  enum Damage: CaseIterable {
    case snapshotLost, snapshotDamaged, journalLost, journalDamaged, journalTailDamaged, historyLost, allLost
  }

  /// - Parameter place: 0 to 1, where in the file.
  /// - Returns: false where there is nothing to damage in this way.
  mutating func damage(_ damage: Damage, at place: Double) -> Bool {
    switch damage {
    case .snapshotLost:
      guard snapshot != nil, !isSnapshotAlone else { return false }
      snapshot = nil
    case .snapshotDamaged:
      guard let count = snapshot?.count, count > 0, !isSnapshotAlone else { return false }
      snapshot![Int(Double(count - 1) * place)] ^= 0x5a
    case .journalLost:
      guard snapshot != nil, journal != nil else { return false }
      journal = nil
    case .journalDamaged:
      // Before the last entry: damage there looks like the end of a process during a write.
      guard let bytes = journal, let last = Self.lastEntry(bytes), last > 0 else { return false }
      journal![Int(Double(last - 1) * place)] ^= 0x5a
    case .journalTailDamaged:
      guard let bytes = journal, let last = Self.lastEntry(bytes) else { return false }
      journal![last + Int(Double(bytes.count - last - 1) * place)] ^= 0x5a
    case .historyLost:
      guard !history.isEmpty else { return false }
      (history, isSnapshotAlone) = ([], true)
    case .allLost: (snapshot, journal, history, isSnapshotAlone) = (nil, nil, [], false)
    }
    return true
  }

  /// Where the journal's last whole entry begins: each starts with its length in 32 bits and a sum in 32.
  private static func lastEntry(_ bytes: [UInt8]) -> Int? {
    var (last, at): (Int?, Int) = (nil, 0)
    while at + 8 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard at + 8 + length <= bytes.count else { break }
      (last, at) = (at, at + 8 + length)
    }
    return last
  }
}
