import Foundation

/// The report of a phone's first run, as both apps save it: JSON with the phone's properties, the steps that
/// happened, and the journal, its places moved, in base64.
package struct FirstRunFile {
  package let fields: JSONValue

  private static let mark = "proximity first run"

  /// - Parameter head: the first bytes of a file, 4096 of them if there are as many.
  package static func begins(_ head: [UInt8]) -> Bool {
    head.first == UInt8(ascii: "{") && String(decoding: head.prefix(4096), as: UTF8.self).contains(mark)
  }

  /// Nil for any other file.
  package init?(_ bytes: [UInt8]) {
    guard bytes.first == UInt8(ascii: "{"), let fields = try? JSONValue.parse(bytes),
      fields["report"]?.string == Self.mark, case .integer(1)? = fields["form"]
    else { return nil }
    self.fields = fields
  }

  /// True if the report has a journal, readable or not.
  package var hasJournal: Bool { fields["journal"]?.string != nil }

  /// The bytes of the journal.
  /// - Throws: `ReadError` if there are none.
  func journal(_ label: String) throws -> [UInt8] {
    guard let base64 = fields["journal"]?.string else {
      throw ReadError("\(label) is the report of a phone without its journal")
    }
    guard let bytes = Data(base64Encoded: base64) else {
      throw ReadError("\(label): the journal in this report is damaged; it is no base64")
    }
    return [UInt8](bytes)
  }
}
