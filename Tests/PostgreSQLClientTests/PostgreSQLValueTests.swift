import PostgreSQLClient
import TestSupport
import Testing

/// Values that are compared by their bits, so that a NaN equals itself and zero does not equal minus zero.
private struct Exact: Equatable, CustomStringConvertible {
  let value: PostgreSQLValue
  var description: String { "\(value)" }
  static func == (a: Self, b: Self) -> Bool {
    switch (a.value, b.value) {
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.reals(let a), .reals(let b)): a.map { $0?.bitPattern } == b.map { $0?.bitPattern }
    case (.text(let a), .text(let b)): Array(a.utf8) == Array(b.utf8)
    case (.texts(let a), .texts(let b)):
      a.map { $0.map { Array($0.utf8) } } == b.map { $0.map { Array($0.utf8) } }
    default: a.value == b.value
    }
  }
}

/// Texts that are difficult for quoting, escaping and splitting.
private let oddTexts = [
  "", " ", "'", "\"", "''", "\\", "\\\\", "\\N", "NULL", "null", "{}", "{", "}", ",", "a,b", "{a,\"b\"}",
  "\n", "\r\n", "\t",
  "$1", "%s", ";--", "\u{1}", "\u{7f}", "\u{ffff}", "\u{fffe}", "\u{feff}", "\u{e000}", "\u{d7ff}",
  "\u{10ffff}", "é",
  "e\u{301}", "日本", "👩‍👩‍👧‍👦", "\u{202e}abc", "x'; DROP TABLE a; --", "E'\\n'",
]

extension SeededGenerator {
  fileprivate mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  fileprivate mutating func text() -> String {
    var text = ""
    for _ in 0..<below(5) {
      switch below(3) {
      case 0: text += oddTexts[below(oddTexts.count)]
      case 1: text.unicodeScalars.append(Unicode.Scalar(UInt8(1 + below(127))))
      default:
        let scalar = Unicode.Scalar(UInt32(1 + below(0x10_ffff)))
        text.unicodeScalars.append(scalar ?? "?")
      }
    }
    return text
  }

  fileprivate mutating func integer() -> Int64 {
    let bounds: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max, 1 << 31, -(1 << 31) - 1]
    return below(2) == 0 ? bounds[below(bounds.count)] : Int64(bitPattern: next()) >> Int64(below(64))
  }

  fileprivate mutating func real() -> Double {
    let odd: [Double] = [
      0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .ulpOfOne, 0.1,
      -1e-300,
    ]
    return below(2) == 0 ? odd[below(odd.count)] : Double(bitPattern: next())
  }

  fileprivate mutating func bytes() -> [UInt8] {
    (0..<below(40)).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  fileprivate mutating func list<Element>(_ make: (inout Self) -> Element) -> [Element?] {
    (0..<below(6)).map { _ in below(4) == 0 ? nil : make(&self) }
  }

  /// A random value and its column's type.
  fileprivate mutating func value() -> (PostgreSQLValue, String) {
    switch below(11) {
    case 0: (.null, "text")
    case 1: (.integer(integer()), "bigint")
    case 2: (.real(real()), "double precision")
    case 3: (.text(text()), "text")
    case 4: (.bytes(bytes()), "bytea")
    case 5: (.boolean(below(2) == 0), "boolean")
    case 6: (.integers(list { $0.integer() }), "bigint[]")
    case 7: (.reals(list { $0.real() }), "double precision[]")
    case 8: (.texts(list { $0.text() }), "text[]")
    case 9: (.byteArrays(list { $0.bytes() }), "bytea[]")
    default: (.booleans(list { $0.below(2) == 0 }), "boolean[]")
    }
  }
}

@Suite("PostgreSQL values")
struct PostgreSQLValueTests {
  @Test(arguments: Seeds.few(3))
  func `every value is stored and read back as it was`(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    try await PostgreSQLServer.withDatabase { url in
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      for round in 0..<60 {
        let row = (0..<1 + random.below(8)).map { _ in random.value() }
        let columns = row.indices.map { "c\($0) \(row[$0].1)" }.joined(separator: ", ")
        try connection.script("DROP TABLE IF EXISTS stored; CREATE TABLE stored (\(columns))")
        let marks = row.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let values = row.map { $0.0 }
        #expect(try connection.run("INSERT INTO stored VALUES (\(marks))", values).changed == 1)
        let found = try connection.run("SELECT * FROM stored")
        #expect(found.rows.first.map { $0.map(Exact.init) } == values.map(Exact.init), "round \(round)")
      }
    }
  }

  @Test(arguments: Seeds.few(3, from: 100))
  func `arrays are unnested element by element, NULLs included`(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    try await PostgreSQLServer.withDatabase { url in
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      for _ in 0..<40 {
        let count = random.below(30)
        let texts = (0..<count).map { _ in random.below(5) == 0 ? nil : random.text() }
        let integers = (0..<count).map { _ in random.below(5) == 0 ? nil : random.integer() }
        let bytes = (0..<count).map { _ in random.below(5) == 0 ? nil : random.bytes() }
        let rows = try connection.run(
          "SELECT * FROM unnest($1, $2, $3)", [.texts(texts), .integers(integers), .byteArrays(bytes)]
        ).rows
        let wanted: [[PostgreSQLValue]] = (0..<count).map { index in
          [
            texts[index].map { .text($0) } ?? .null, integers[index].map { .integer($0) } ?? .null,
            bytes[index].map { .bytes($0) } ?? .null,
          ]
        }
        #expect(rows.map { $0.map(Exact.init) } == wanted.map { $0.map(Exact.init) })
      }
    }
  }

  @Test func `odd texts are told apart, and a megabyte comes back whole`() async throws {
    try await PostgreSQLServer.withDatabase { url in
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      for text in oddTexts {
        let found = try connection.run(
          "SELECT $1, octet_length($1), $2", [.text(text), .texts([text, nil])]
        ).rows
        #expect(Exact(value: found[0][0]) == Exact(value: .text(text)))
        #expect(found[0][1] == .integer(Int64(text.utf8.count)))
        #expect(Exact(value: found[0][2]) == Exact(value: .texts([text, nil])))
      }
      let large = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      #expect(try connection.run("SELECT $1", [.bytes(large)]).rows == [[.bytes(large)]])
      let long = String(repeating: "ü\\\"", count: 1 << 18)
      #expect(try connection.run("SELECT $1", [.text(long)]).rows == [[.text(long)]])
    }
  }

  @Test func `a zero byte in a text is refused with words, and nothing is sent`() async throws {
    try await PostgreSQLServer.withDatabase { url in
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      for value: PostgreSQLValue in [.text("a\0b"), .text("\0"), .texts(["a", nil, "b\0"])] {
        let error = try #require(throws: PostgreSQLError.self) { try connection.run("SELECT $1", [value]) }
        #expect(error.code == "22021" && error.message.contains("zero byte"))
        #expect(throws: error) { try connection.pipeline([("SELECT 1", []), ("SELECT $1", [value])]) }
      }
      #expect(try connection.run("SELECT 1").rows == [[.integer(1)]])
    }
  }

  @Test func `numbers of all widths, names and nothing are read; other types are refused with words`()
    async throws
  {
    try await PostgreSQLServer.withDatabase { url in
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      let row = try connection.run(
        """
        SELECT (-2)::int2, (-3)::int4, 4000000000::oid, 1.5::float4, 'v'::varchar(3), 'c'::char(3), 'n'::name, 'x'::"char",
          pg_sleep(0), '18446744073709551615'::xid8, '7'::xid, 'u', ARRAY[1, NULL]::int4[], '{}'::text[]
        """
      ).rows[0]
      #expect(
        row == [
          .integer(-2), .integer(-3), .integer(4_000_000_000), .real(1.5), .text("v"), .text("c  "),
          .text("n"), .text("x"),
          .null, .integer(-1), .integer(7), .text("u"), .integers([1, nil]), .texts([]),
        ])
      for (expression, name) in [
        ("now()", "timestamptz"), ("1.5::numeric", "numeric"), ("sum(1::bigint)", "numeric"),
        ("'{}'::jsonb", "jsonb"),
        ("'127.0.0.1'::inet", "oid 869"), ("ARRAY[[1, 2], [3, 4]]", "2 dimensions"),
      ] {
        let error = try #require(throws: PostgreSQLError.self) {
          try connection.run("SELECT \(expression) AS odd")
        }
        #expect(error.code == "0A000")
        #expect(error.message.contains("odd") && error.message.contains(name), "\(error)")
      }
    }
  }
}
