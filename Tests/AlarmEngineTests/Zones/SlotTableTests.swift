import TestSupport
import Testing

@testable import AlarmEngine

@Suite("What is known of some zones")
struct SlotTableTests {
  @Test(arguments: Seeds.few(8))
  func `a table holds what a dictionary holds, the most urgent first`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var (table, witness): (SlotTable<Int>, [ZoneSlot: Int]) = (SlotTable(), [:])
    for round in 0..<500 {
      let slot = ZoneSlot(Int(random.next() % 40))
      switch random.next() % 4 {
      case 0:
        #expect(table.remove(slot) == (witness.removeValue(forKey: slot) != nil), "round \(round)")
      case 1:
        table[slot] = nil
        witness[slot] = nil
      case 2:
        table[slot] = round
        witness[slot] = round
      default:
        table.put(round, at: slot)
        witness[slot] = round
      }
      let slots = witness.keys.sorted { $0 < $1 }
      #expect(table.slots == slots && table.values == slots.map { witness[$0] ?? -1 }, "round \(round)")
      #expect(table.isEmpty == witness.isEmpty, "round \(round)")
      let other = ZoneSlot(Int(random.next() % 41))
      #expect(table[other] == witness[other] && table.contains(other) == (witness[other] != nil))
    }
  }

  @Test func `what is seldom there is equal by its value`() {
    #expect(Seldom(7) == Seldom(7) && Seldom(7) != Seldom(8) && Seldom(7) != .nothing)
    #expect(Seldom<Int>(nil) == .nothing && Seldom(7).value == 7 && Seldom<Int>.nothing.value == nil)
  }
}
