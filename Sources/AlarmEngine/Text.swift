/// A text in UTF-8, compared byte by byte.
///
/// The engine does not interpret it. Comparing bytes instead of characters keeps the order the same on every
/// platform, and the tables of Unicode out of the page.
public struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let utf8: [UInt8]

  public init(utf8: [UInt8]) { self.utf8 = utf8 }
  public init(_ string: String) { utf8 = Array(string.utf8) }
  /// Not inlined: the page's engine has a thousand literals, most of them on rarely executed paths.
  @inline(never)
  public init(stringLiteral string: StaticString) { utf8 = string.withUTF8Buffer { Array($0) } }

  public static let empty = Self(utf8: [])
  public var isEmpty: Bool { utf8.isEmpty }
  public var string: String { String(decoding: utf8, as: UTF8.self) }
  public var description: String { string }

  public static func < (a: Self, b: Self) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}
