/// A zone or a reminder that several phones edit independently: its fields, each with the time of its last
/// edit, and the time of its deletion.
///
/// `merge` is commutative, associative and idempotent: all devices that have seen the same edits hold the
/// same record, in whatever order and however often these arrived (S167).
///
/// A record exists if one of its fields was edited at or after its deletion. A deletion therefore beats all
/// earlier edits, and a later edit restores the whole record: a zone too many is better than an alarm that
/// silently disappears.
public struct SyncRecord: Hashable, Sendable {
  /// Ascending by field, each once.
  public private(set) var fields: [FieldRegister] = []
  public private(set) var deletedAt: HybridTime?

  public init() {}

  /// - Parameter fields: in any order; if several have one number, the latest counts.
  public init(fields: [FieldRegister], deletedAt: HybridTime? = nil) {
    for register in fields { set(register) }
    self.deletedAt = deletedAt
  }

  public var exists: Bool {
    guard let edited = fields.map({ $0.editedAt }).max() else { return false }
    return deletedAt.map { edited >= $0 } ?? true
  }

  /// The time of the latest edit or of the deletion, whichever is later.
  public var latest: HybridTime? {
    var times = fields.map { $0.editedAt }
    if let deletedAt { times.append(deletedAt) }
    return times.max()
  }

  public func value(of field: UInt8) -> [UInt8]? {
    let place = fields.partitioningIndex { $0.field >= field }
    return place < fields.count && fields[place].field == field ? fields[place].value : nil
  }

  /// Applies an edit, unless the field has a later one.
  public mutating func set(_ register: FieldRegister) {
    let place = fields.partitioningIndex { $0.field >= register.field }
    if place < fields.count, fields[place].field == register.field {
      if register.overrules(fields[place]) { fields[place] = register }
    } else {
      fields.insert(register, at: place)
    }
  }

  /// Sets the fields that differ to new values, all edited at `time`; the others keep their edits. In a
  /// deleted record all the fields are set.
  ///
  /// - Parameter time: must be later than every time in the record, as those of `HybridClock` are; otherwise
  ///   the edit is lost.
  public mutating func edit(to values: [(field: UInt8, value: [UInt8])], at time: HybridTime) {
    let gone = !exists
    for (field, value) in values where gone || self.value(of: field) != value {
      set(FieldRegister(field: field, value: value, editedAt: time))
    }
  }

  public mutating func delete(at time: HybridTime) { deletedAt = deletedAt.map { max($0, time) } ?? time }

  public mutating func merge(_ other: Self) {
    for register in other.fields { set(register) }
    if let time = other.deletedAt { delete(at: time) }
  }
}
