import AlarmEngine
import AlarmService
import Delivery
import Formats
import Store

/// Lists in pages: `?limit=` and the `cursor` given by the previous page.
enum Paging {
  static let query: [Route.Query] = [
    .init(
      name: "limit", schema: .integer(1...500),
      meaning: "Maximum number of items on the page; 100 if left out."),
    .init(name: "cursor", schema: .base64URL(1...100), meaning: "`next` of the previous page."),
  ]

  static func schema(_ item: Schema) -> Schema {
    .object([
      .needed("items", .list(item, upTo: 500), ""),
      .needed(
        "next", .optional(.text(1...100)), "Value of `cursor` for the next page; null on the last page."),
    ])
  }

  static func limit(_ call: Call) -> Int { Int(call.query["limit"]?.whole ?? 100) }

  /// The last id of the previous page.
  static func after<ID: StoreID>(_ call: Call, _: ID.Type) throws(Problem) -> ID? {
    guard let text = call.query["cursor"]?.string else { return nil }
    guard let bytes = Base64URL.decode(text), bytes.count == 8 else {
      throw Problem(.invalidParameter, "cursor: \(text.excerpt(60)) found, `next` of a previous page allowed")
    }
    return ID(rawValue: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// A page made from one element more than requested, which shows whether there is another page.
  static func page<Element, ID: StoreID>(
    _ found: [Element], limit: Int, id: (Element) -> ID, json: (Element) -> JSONValue
  ) -> JSONValue {
    let page = found.prefix(limit)
    var next = JSONValue.null
    if found.count > limit, let last = page.last {
      let raw = id(last).rawValue
      next = .string(
        Base64URL.encode((0..<8).map { UInt8(truncatingIfNeeded: raw >> UInt64(56 - 8 * $0)) }))
    }
    return .object([("items", .array(page.map(json))), ("next", next)])
  }
}
