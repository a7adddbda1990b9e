import TestSupport
import Testing

@testable import Formats

@Suite("Tables with a header row")
struct HeaderTableTests {
  private func read(_ text: String, most: Int = 9) -> HeaderTable { read(Array(text.utf8), most: most) }

  private func read(_ bytes: [UInt8], most: Int = 9) -> HeaderTable {
    HeaderTable(bytes, needed: ["name", "mail"], optional: ["login"], most: most)
  }

  private func rows(_ table: HeaderTable) -> [[String]] {
    table.rows.map { ["\($0.line)", $0["name"], $0["mail"], $0["login"]] }
  }

  @Test(arguments: [
    "name,mail\r\nAnna,a@x.org\r\n\"Öz, \"\"B\"\"\",b@x.org\r\n",
    "name,mail\nAnna,a@x.org\n\"Öz, \"\"B\"\"\",b@x.org",
    "\u{feff}name,mail\nAnna,a@x.org\n\"Öz, \"\"B\"\"\",b@x.org\n",
    " Name ;MAIL;;\n Anna ; a@x.org;;\n\"Öz, \"\"B\"\"\";b@x.org;\n",
    "\"mail\",\"name\"\ra@x.org,Anna\rb@x.org,\"Öz, \"\"B\"\"\"\r",
  ])
  func `rows are the same in every order of columns, with every line end and separator`(text: String) {
    let table = read(text)
    #expect(table.problems.isEmpty, "\(table.problems)")
    #expect(rows(table) == [["2", "Anna", "a@x.org", ""], ["3", "Öz, \"B\"", "b@x.org", ""]])
  }

  @Test func `a row has the line where it starts, and empty lines are skipped`() {
    let table = read("\n\nlogin,name,mail\n,,\nanna,\"An\nna\",a@x.org\n\nben,Ben,b@x.org\n")
    #expect(rows(table) == [["5", "An\nna", "a@x.org", "anna"], ["8", "Ben", "b@x.org", "ben"]])
    #expect(table.columns == ["login", "name", "mail"])
  }

  @Test(arguments: [
    ("", 1, "no header row found; the columns name, mail are needed"),
    ("\n \n", 1, "no header row found"), ("name\nAnna\n", 1, "no column mail found"),
    ("\n\nAnna,a@x.org\n", 3, "a column \"anna\" found; allowed: name, mail, login"),
    ("name,mail,phone\nAnna,a@x.org,1\n", 1, "a column \"phone\" found; allowed: name, mail, login"),
    ("name,mail,NAME\n", 1, "the column name found twice"), ("name,,mail\n", 1, "a column \"\" found"),
    ("name,mail\n", 1, "no row below the header"),
    ("name,mail\nAnna,a@x.org,extra\n", 2, "a row of 3 fields found, 2 allowed"),
    ("name,mail\n\nMüller, Anna,a@x.org\n", 3, "a row of 3 fields found, 2 allowed"),
    ("name,mail\n\"Anna,a@x.org\n", 2, "a quotation mark that does not close"),
  ])
  func `what cannot be used is named with its line`(text: String, line: Int, message: String) {
    let problems = read(text).problems
    #expect(problems.contains { $0.line == line && $0.message.contains(message) }, "\(problems)")
    #expect(read(text).rows.isEmpty)
  }

  @Test func `other encodings and rows beyond the most are refused`() {
    let latin = read(Array("name,mail\nAnna,a@x.org\nJ".utf8) + [0xf6] + Array("rg,j@x.org\n".utf8))
    #expect(latin.problems == [.init(line: 3, "bytes that are not UTF-8 found; save the table as UTF-8")])
    #expect(read([0xff, 0xfe, 0x6e, 0]).problems.first?.line == 1)
    let rows = (1...10).map { "Anna,a\($0)@x.org\n" }
    #expect(read("name,mail\n" + rows.prefix(9).joined()).problems.isEmpty)
    let many = read("name,mail\n" + rows.joined())
    #expect(many.problems == [.init(line: 11, "more than 9 rows found, at most 9 allowed")])
  }

  @Test func `whatever bytes there are, each row has all its columns or a problem is told`() {
    var generator = SeededGenerator(seed: 20_261_130)
    let pieces: [[UInt8]] =
      [
        "name", "mail", "login", ",", ";", "\"", "\"\"", "\n", "\r\n", "\r", " ", "Anna", "a@x.org",
        "\u{feff}",
      ].map { Array($0.utf8) } + [[0], [0xff], [0xc3]]
    for _ in 0..<3000 {
      let start = Bool.random(using: &generator) ? Array("name,mail\n".utf8) : []
      let bytes =
        start
        + (0..<Int.random(in: 0..<20, using: &generator)).flatMap { _ in
          pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        }
      let table = read(bytes)
      #expect(!table.rows.isEmpty || !table.problems.isEmpty, "\(bytes)")
      if !table.rows.isEmpty { #expect(Set(table.columns).isSuperset(of: ["name", "mail"]), "\(bytes)") }
    }
  }
}
