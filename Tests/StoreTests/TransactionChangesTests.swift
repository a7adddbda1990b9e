import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("What other processes hear")
struct TransactionChangesTests {
  private static func accounts(_ ids: some Sequence<UInt64>) -> ChangesByOthers.Scope {
    .accounts(Set(ids.map { AccountID(rawValue: $0) }))
  }

  @Test func `a note is read back as it was written, or says more`() {
    for isEdit in [false, true] {
      for told in [.all, Self.accounts([]), Self.accounts([7]), Self.accounts([0, 1, .max, 1 << 63])] {
        let note = TransactionChanges.Note(isEdit: isEdit, told: told)
        #expect(TransactionChanges.Note(text: note.text[...]) == note)
      }
    }
    var random = SeededGenerator(seed: 5)
    for count in [1, 100, 563, 564, 565, 3000] {
      let many = Self.accounts((0..<count).map { _ in random.next() | 1 << 63 })
      let text = TransactionChanges.Note(isEdit: false, told: many).text
      // PostgreSQL refuses 8,000 bytes; the process' name and a blank precede the text.
      #expect(text.utf8.count + 14 < 8000, "\(count)")
      #expect(TransactionChanges.Note(text: text[...]).told == (count > 564 ? .all : many), "\(count)")
    }
  }

  @Test(arguments: ["", "x", "e", "- 1,?", "e 1 2", "- zzzzzzzzzzzzzzzzzzzz", "q 1"])
  func `what cannot be read may be about anything`(text: String) {
    #expect(TransactionChanges.Note(text: text[...]).told == .all)
    #expect(TransactionChanges.Note(text: text[...]).isEdit || text.hasPrefix("- "))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `who asks is told all that was added since, or that it may be anything`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (heard, all) = (ReceivedChanges(most: 8), [TransactionChanges.Note]())
    let start = heard.since(nil)
    #expect(start.changes.isEmpty)
    var known = [start.number: 0]
    for step in 0..<200 {
      if Int.random(in: 0..<3, using: &random) > 0 {
        let note = TransactionChanges.Note(
          isEdit: Bool.random(using: &random),
          told: Self.accounts([UInt64.random(in: 0...99, using: &random)]))
        heard.add(note)
        all.append(note)
      }
      guard let (number, count) = known.randomElement(using: &random) else { continue }
      let found = heard.since(number)
      let expected = all[count...].reduce(into: TransactionChanges.Note()) { $0.add($1) }
      #expect(
        found.changes == expected || all.count - count > 4 && found.changes == .anything,
        "seed \(seed), \(step)")
      known[found.number] = all.count
    }
  }

  @Test func `a number that was never told may have missed anything`() {
    var heard = ReceivedChanges()
    heard.add(TransactionChanges.Note(isEdit: false, told: Self.accounts([1])))
    #expect(heard.since(7).changes == .anything)
    #expect(heard.since(-3).changes == .anything)
    #expect(heard.since(heard.number).changes.isEmpty)
  }
}
