import Geometry
import TestSupport
import Testing

@Suite("Edited lists")
struct EditedListTests {
  /// A plain array edited the same way.
  private static func edited(_ plain: [Int], by edit: ListEdit, _ coming: [Int]) -> [Int] {
    var next: [Int] = []
    for position in 0...plain.count {
      for (number, place) in edit.inserted.enumerated() where place == position {
        next.append(coming[number])
      }
      if position < plain.count, !edit.removed.contains(position) { next.append(plain[position]) }
    }
    return next
  }

  @Test(arguments: 0..<8)
  func `an edited list is the array edited the same way, and the one before stays as it was`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var plain = Array(0..<(seed % 2 == 0 ? 400 : 3000))
    var list = EditedList(plain)
    var fresh = 100_000
    for round in 0..<60 {
      let before = (list, plain)
      // Usually a few; now and then so many that everything is copied, or everything but nothing.
      let most = round % 20 == 19 ? plain.count / 8 : 3
      func places(_ limit: Int) -> [Int] {
        guard limit > 0 else { return [] }
        return (0..<Int(random.next() % UInt64(most + 1))).map { _ in Int(random.next() % UInt64(limit)) }
          .sorted()
      }
      let edit = ListEdit(
        removed: Set(places(plain.count)).sorted(), inserted: places(plain.count + 1))
      let coming = edit.inserted.map { _ -> Int in
        fresh += 1
        return fresh
      }
      plain = Self.edited(plain, by: edit, coming)
      list = list.edited(by: edit, coming)
      #expect(Array(list) == plain, "seed \(seed), round \(round)")
      #expect(Array(before.0) == before.1, "seed \(seed), round \(round)")
      for position in list.recentPositions { #expect(plain[position] > 100_000) }
    }
    #expect(!list.isCopied || list.recentPositions.isEmpty)
  }

  @Test func `what was copied is found where it is now, and what is gone is not`() {
    var list = EditedList(Array(0..<1000))
    list = list.edited(by: ListEdit(removed: [0, 500], inserted: [0, 0, 700, 1000]), [-1, -2, -3, -4])
    #expect(!list.isCopied && list.recentPositions == [0, 1, 700, 1001])
    for place in 0..<1000 {
      let position = list.position(ofCopied: place)
      #expect(position.map { list[$0] } == (place == 0 || place == 500 ? nil : place))
    }
    #expect(list.count == 1002 && list.first == -1 && list.last == -4)
  }

  @Test func `an empty list takes elements, and one that lost all is empty`() {
    let one = EditedList<Int>([]).edited(by: ListEdit(removed: [], inserted: [0, 0]), [1, 2])
    #expect(Array(one) == [1, 2])
    let none = one.edited(by: ListEdit(removed: [0, 1], inserted: []), [])
    #expect(none.isEmpty && none.recentPositions.isEmpty)
  }
}
