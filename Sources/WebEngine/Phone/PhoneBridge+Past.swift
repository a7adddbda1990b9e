import AlarmEngine
import Geometry
import PhoneHost

extension PhoneBridge {
  /// The most positions returned, the latest ones: a week of a busy phone.
  static let mostPast = 20_000

  /// The positions of a journal that the app hands out (``JournalExport``) that arrived after a time: the watch itself holds
  /// those of the last hour alone.
  static func past(_ fields: Fields) throws(Refusal) -> PageValue {
    guard let journal = fields.present("journal") else { throw .field(.init("journal", .missing)) }
    guard let bytes = journal.bytes, let export = try? JournalExport.read(bytes) else {
      throw .field(.init("journal", .wrongKind))
    }
    let after =
      fields.present("after_ms") == nil ? Instant.allowed.lowerBound : try fields.instant("after_ms")
    var fixes: [Fix] = []
    for case .journal(let entries) in export.parts {
      for (_, entry) in Journal.read(entries).entries {
        guard case .inputs(let inputs) = entry.content else { continue }
        for case .fix(let fix) in inputs where fix.receivedAt > after { fixes.append(fix) }
      }
    }
    return .map([.init("rows", .bytes(rows(of: fixes.suffix(mostPast))))])
  }

  static func rows(of fixes: some Sequence<Fix>) -> [UInt8] {
    var rows: [UInt8] = []
    for fix in fixes {
      for number in FixRow.numbers(fix) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
          rows.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
        }
      }
    }
    return rows
  }
}
