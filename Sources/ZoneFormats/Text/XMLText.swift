/// Escapes and unescapes XML text.
package enum XMLText {
  /// Escapes text for XML. Characters that XML 1.0 cannot hold are left out, and `isWhole` is then false.
  package static func escaped(_ text: String) -> (text: String, isWhole: Bool) {
    var escaped = ""
    var isWhole = true
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\r": escaped += "&#13;"  // Bare, readers take it for a line end.
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1f}", "\u{fffe}", "\u{ffff}": isWhole = false
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return (escaped, isWhole)
  }

  /// Expands the five entities of XML, character numbers, and HTML's common names; others are kept as they
  /// are.
  package static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "&")) else { return bytes }
    var result: [UInt8] = []
    var rest = bytes[...]
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      result.append(contentsOf: rest[..<ampersand])
      rest = rest[(ampersand + 1)...]
      guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")), let scalar = scalar(rest[..<end])
      else {
        result.append(UInt8(ascii: "&"))
        continue
      }
      result.append(contentsOf: String(scalar).utf8)
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  private static func scalar(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let name = String(decoding: name, as: UTF8.self)
    if name.hasPrefix("#x") { return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init) }
    if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) }
    return named[name]
  }

  private static let named: [String: Unicode.Scalar] = {
    var named: [String: Unicode.Scalar] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
      "OElig": "\u{152}", "oelig": "\u{153}", "Scaron": "\u{160}", "scaron": "\u{161}", "Yuml": "\u{178}",
      "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}", "ndash": "\u{2013}", "mdash": "\u{2014}",
      "lsquo": "\u{2018}", "rsquo": "\u{2019}", "sbquo": "\u{201a}", "ldquo": "\u{201c}", "rdquo": "\u{201d}",
      "bdquo": "\u{201e}", "bull": "\u{2022}", "hellip": "\u{2026}", "euro": "\u{20ac}", "trade": "\u{2122}",
    ]
    for (offset, name) in latin.split(separator: " ").enumerated() {
      named[String(name)] = Unicode.Scalar(UInt8(0xa0 + offset))
    }
    return named
  }()

  /// U+00A0 to U+00FF. Source: HTML 4.01, 24.2.
  private static let latin = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
    micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
    Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
    Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
    ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
    uuml yacute thorn yuml
    """
}
