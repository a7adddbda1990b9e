import Formats

/// Escapes a text from outside for HTML, between tags and inside quoted attributes.
///
/// Zone names are written by strangers: control characters and those that change the direction of writing are
/// removed, too (see `printable`).
package func escaped(_ text: String) -> String { HTMLText.escaped(printable(text)) }

/// Escapes the characters of JSON that could end the element of a page in which it stands.
package func scriptSafe(_ json: String) -> String {
  String(
    json.unicodeScalars.reduce(into: String.UnicodeScalarView()) { out, scalar in
      switch scalar {
      case "<": out.append(contentsOf: "\\u003c".unicodeScalars)
      case ">": out.append(contentsOf: "\\u003e".unicodeScalars)
      case "&": out.append(contentsOf: "\\u0026".unicodeScalars)
      case "'": out.append(contentsOf: "\\u0027".unicodeScalars)
      default: out.append(scalar)
      }
    })
}

/// The shortest text for a number in a drawing: two decimals at most, no needless zeros.
package func drawn(_ value: Double) -> String {
  var text = fixedPoint(value, decimals: 2)
  while text.last == "0" { text.removeLast() }
  if text.last == "." { text.removeLast() }
  return text
}

/// A place in a drawing, y downwards.
package struct DrawnPoint: Hashable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// SVG path data for open or closed lines.
package func pathData(_ lines: [[DrawnPoint]], closed: Bool) -> String {
  var data = ""
  for line in lines where line.count > 1 {
    for (index, point) in line.enumerated() {
      data += index == 0 ? "M" : "L"
      data += drawn(point.x) + " " + drawn(point.y)
    }
    if closed { data += "Z" }
  }
  return data
}

/// The icons of the page: 24 grid, 1.8 stroke, round caps.
package enum Icon: String {
  case bell = "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4"
  case noSignal =
    "M4 4l16 16M9 9a6 6 0 0 0-2 4M15.5 10.5A6 6 0 0 1 17 13M12 18h.01M5 6.5A11 11 0 0 0 2.5 9M10 4.8A11 11 0 0 1 21.5 9"
  case check = "M5 12.5l4.5 4.5L19 7.5"
  case plus = "M12 5v14M5 12h14"
  case minus = "M5 12h14"
  case whole = "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"
  case play = "M8 5.5v13l10.5-6.5z"
  case message = "M4 5h16v11H10l-4 4v-4H4z"

  package var svg: String {
    "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"\(rawValue)\"/></svg>"
  }
}
