import Foundation

/// Words that somebody types to find a place, as the full text index takes them.
public struct PlaceWords: Equatable, Sendable {
  public enum Refusal: Error, Equatable, Sendable {
    /// No word with `shortest` letters or figures.
    case tooShort
    case tooMany(given: Int, allowed: Int)
    case tooLong(allowed: Int)

    public var message: String {
      switch self {
      case .tooShort: "a word of \(PlaceWords.shortest) letters or more allowed"
      case .tooMany(let given, let allowed): "\(given) words found, up to \(allowed) allowed"
      case .tooLong(let allowed): "up to \(allowed) characters allowed"
      }
    }
  }

  /// Letters of the last word, whose beginning is enough: of one letter, too much begins.
  public static let shortest = 2
  public static let most = 8
  public static let longest = 100

  public let text: String
  /// In the language of SQLite's FTS5: every word quoted, so that none of it is an operator.
  let match: String

  /// - Throws: `Refusal` for what would find everything or nothing.
  public init(_ text: String) throws(Refusal) {
    guard text.unicodeScalars.count <= Self.longest else { throw .tooLong(allowed: Self.longest) }
    var words = text.split { $0.isWhitespace }.filter { Self.letters($0) > 0 }
    guard words.count <= Self.most else { throw .tooMany(given: words.count, allowed: Self.most) }
    // Whoever is still typing has begun a word that says nothing yet.
    if words.count > 1, let last = words.last, !Self.isLongEnough(last) { words.removeLast() }
    guard let last = words.last, Self.isLongEnough(last) else { throw .tooShort }
    self.text = text
    let quoted = words.map { "\"" + Self.folded($0).filter { $0 != "\"" && $0 != "\0" } + "\"" }
    match = quoted.joined(separator: " ") + "*"
  }

  /// What the index's own folding of marks leaves as it is: "hauptstrasse" finds "Hauptstraße".
  private static func folded(_ text: some StringProtocol) -> String {
    text.replacingOccurrences(of: "ß", with: "ss")
  }

  private static func letters(_ word: Substring) -> Int {
    word.unicodeScalars.count { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }

  /// A sign of Chinese or Japanese is a word.
  private static func isLongEnough(_ word: Substring) -> Bool {
    letters(word) >= shortest
      || word.unicodeScalars.contains { $0.value >= 0x2e80 && $0.properties.isAlphabetic }
  }

  /// A name as it is indexed: words with marks inside also without them, so that "mcdonalds" finds "McDonald's" and "hm"
  /// finds "H&M".
  static func indexed(_ name: String) -> String {
    let text = folded(name)
    let joined = text.split(separator: " ").compactMap { word -> String? in
      let bare = word.filter { !"'’‘`´.&-+".contains($0) }
      return bare.count < word.count && bare.count > 1 ? bare : nil
    }
    return joined.isEmpty ? text : text + " " + joined.joined(separator: " ")
  }
}
