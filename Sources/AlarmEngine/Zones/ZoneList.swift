import Geometry

/// The zones of a set, the most urgent first. Cheap to copy.
public struct ZoneList: RandomAccessCollection, Equatable, Sendable {
  private let list: EditedList<WatchedZone>

  init(_ list: EditedList<WatchedZone>) { self.list = list }

  public var count: Int { list.count }
  public var startIndex: Int { 0 }
  public var endIndex: Int { list.count }
  public subscript(position: Int) -> Zone { @inline(never) get { list[position].zone } }

  public static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}
