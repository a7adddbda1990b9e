import Formats
import Store

extension ExportRow {
  /// An object that begins with the table's name.
  var json: JSONValue {
    .object(
      [("table", .string(table))]
        + columns.map { column in
          let value: JSONValue =
            switch column.value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .number(number)
            case .text(let text): .string(text)
            }
          return (column.name, value)
        })
  }
}
