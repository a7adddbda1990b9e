import AlarmEngine
import Testing

@testable import Store

@Suite("Ids as text")
struct StoreIDTests {
  @Test func `an id is sixteen hexadecimal digits, and nothing else is one`() {
    let id = AccountID(rawValue: 0x0a0b)
    #expect(id.description == "0000000000000a0b")
    #expect(AccountID("0000000000000a0b") == id)
    #expect(AccountID("0000000000000A0B") == id)
    #expect(ZoneID(ZoneID(rawValue: .max).description) == ZoneID(rawValue: .max))
    for text in ["", "a0b", "+000000000000a0b", "0000000000000a0bb", "0000000000000a0g", "000000000000０"] {
      #expect(AccountID(text) == nil, "\(text)")
    }
  }
}
