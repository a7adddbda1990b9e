/// A value kept once however many hold it, and copied when one of them changes it.
///
/// What is alike at several points of a timeline, before and after time passed, takes the memory of one.
struct CopyOnWrite<Value: Sendable>: @unchecked Sendable {
  // Sendable: the storage is changed only while nobody else refers to it. So nobody can read it then either, which need not be
  // watched while the program runs.
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
