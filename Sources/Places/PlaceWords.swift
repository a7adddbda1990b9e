import Foundation

/// Search words for places, converted to a query of the full-text index.
public struct PlaceWords: Equatable, Sendable {
  public enum Refusal: Error, Equatable, Sendable {
    /// The last word has fewer than `shortest` letters or digits.
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

  /// The fewest letters of the last word, which matches as a prefix: one letter would match too much.
  public static let shortest = 2
  public static let most = 8
  public static let longest = 100

  public let text: String
  /// The query in the syntax of SQLite's FTS5, every word quoted so that none acts as an operator.
  let match: String

  /// - Throws: `Refusal` for a text that would find everything or nothing.
  public init(_ text: String) throws(Refusal) {
    guard text.unicodeScalars.count <= Self.longest else { throw .tooLong(allowed: Self.longest) }
    var words = text.split { $0.isWhitespace }.filter { Self.letters($0) > 0 }
    guard words.count <= Self.most else { throw .tooMany(given: words.count, allowed: Self.most) }
    // A short last word, still being typed, is ignored.
    if words.count > 1, let last = words.last, !Self.isLongEnough(last) { words.removeLast() }
    guard let last = words.last, Self.isLongEnough(last) else { throw .tooShort }
    self.text = text
    let quoted = words.map { "\"" + Self.folded($0).filter { $0 != "\"" && $0 != "\0" } + "\"" }
    match = quoted.joined(separator: " ") + "*"
  }

  /// Folds letters that the index itself does not fold: "hauptstrasse" finds "Hauptstraße".
  private static func folded(_ text: some StringProtocol) -> String {
    text.replacingOccurrences(of: "ß", with: "ss")
  }

  private static func letters(_ word: Substring) -> Int {
    word.unicodeScalars.count { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }

  /// True if a word is long enough; a single Chinese or Japanese character is.
  private static func isLongEnough(_ word: Substring) -> Bool {
    letters(word) >= shortest
      || word.unicodeScalars.contains { $0.value >= 0x2e80 && $0.properties.isAlphabetic }
  }

  /// Returns the text to index for a name. Words with marks inside are added without them, so that
  /// "mcdonalds" finds "McDonald's" and "hm" finds "H&M".
  static func indexed(_ name: String) -> String {
    let text = folded(name)
    let joined = text.split(separator: " ").compactMap { word -> String? in
      let bare = word.filter { !"'’‘`´.&-+".contains($0) }
      return bare.count < word.count && bare.count > 1 ? bare : nil
    }
    return joined.isEmpty ? text : text + " " + joined.joined(separator: " ")
  }
}
