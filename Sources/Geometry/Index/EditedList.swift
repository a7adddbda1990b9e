/// A list that shares its unedited elements with the list before the edit.
///
/// Immutable. Reads like an array, a little slower after edits. Before that becomes noticeable, an edit
/// copies all elements.
public struct EditedList<Element: Sendable>: RandomAccessCollection, Sendable {
  // Visible to other modules, so that reads are inlined and specialised there.
  @usableFromInline let base: ContiguousArray<Element>
  @usableFromInline let recent: ContiguousArray<Element>
  /// Nil if the list was not edited since all elements were copied.
  @usableFromInline let positions: ListPositions?

  @inlinable public init(_ elements: [Element]) {
    (base, recent) = (ContiguousArray(elements), [])
    positions = nil
  }

  @inlinable init(base: ContiguousArray<Element>, recent: ContiguousArray<Element>, positions: ListPositions)
  {
    (self.base, self.recent, self.positions) = (base, recent, positions)
  }

  /// Returns the list after an edit.
  ///
  /// - Parameter elements: the inserted elements, as many as the edit inserts.
  /// - Complexity: O(k log k) for k edits since all elements were copied; O(n) for one of some hundred edits,
  ///   or when a fiftieth is edited.
  @inlinable public func edited(by edit: ListEdit, _ elements: [Element]) -> Self {
    precondition(elements.count == edit.inserted.count, "there is an element for each that comes")
    guard let (next, changes) = (positions ?? ListPositions(count: count)).edited(by: edit) else {
      return Self(copied(by: edit, elements))
    }
    return Self(
      base: base,
      recent: ContiguousArray(
        changes.map { change in
          switch change {
          case .kept(let place): recent[place]
          case .inserted(let number): elements[number]
          }
        }), positions: next)
  }

  @inlinable func copied(by edit: ListEdit, _ elements: [Element]) -> [Element] {
    var all: [Element] = []
    all.reserveCapacity(count - edit.removed.count + elements.count)
    var (going, coming) = (0, 0)
    for position in 0...count {
      while coming < elements.count, edit.inserted[coming] == position {
        all.append(elements[coming])
        coming += 1
      }
      if going < edit.removed.count, edit.removed[going] == position {
        going += 1
      } else if position < count {
        all.append(self[position])
      }
    }
    return all
  }

  @inlinable public var count: Int { positions?.count ?? base.count }
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { count }

  @inlinable public subscript(position: Int) -> Element {
    unsafeAddress { address(of: position) }
  }

  /// Returns the address of an element, valid as long as the list is held.
  #if hasFeature(Embedded)
    @inline(never) @usableFromInline func address(of position: Int) -> UnsafePointer<Element> {
      editedAddress(of: position)
    }
  #else
    @inline(__always) @inlinable func address(of position: Int) -> UnsafePointer<Element> {
      positions == nil ? address(base, position) : editedAddress(of: position)
    }
  #endif

  @inlinable func editedAddress(of position: Int) -> UnsafePointer<Element> {
    switch positions?.source(of: position) {
    case nil: address(base, position)
    case .base(let place): address(base, place)
    case .recent(let place): address(recent, place)
    }
  }

  @inlinable func address(_ elements: ContiguousArray<Element>, _ place: Int)
    -> UnsafePointer<Element>
  {
    precondition(place >= 0 && place < elements.count, "a position of the list")
    return elements.withUnsafeBufferPointer { $0.baseAddress! + place }
  }

  /// True if the list was not edited since all elements were copied.
  public var isCopied: Bool { positions == nil }

  /// Returns the position of the element that was at `place` when all were last copied; nil if it was
  /// removed.
  public func position(ofCopied place: Int) -> Int? {
    guard let positions else { return place }
    let position = positions.position(ofBase: place)
    return position < 0 ? nil : position
  }

  /// The positions of the elements inserted since all were last copied; ascending.
  public var recentPositions: [Int] { positions?.recent ?? [] }
}
