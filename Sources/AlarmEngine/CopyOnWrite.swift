/// A value that its holders share, and that is copied when one of them changes it.
///
/// Equal states at several points of a timeline, before and after time passed, take the memory of one.
struct CopyOnWrite<Value: Sendable>: @unchecked Sendable {
  // Sendable: the storage is changed only while it has a single owner. Nobody else can read it then, so
  // exclusivity need not be checked at run time.
  private final class Storage {
    @exclusivity(unchecked) var value: Value
    init(_ value: Value) { self.value = value }
  }
  private var storage: Storage

  init(_ value: Value) { storage = Storage(value) }

  var value: Value {
    get { storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }
}
