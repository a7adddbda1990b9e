import AlarmEngine

/// Returns the name that a misspelt one most likely means.
///
/// - Returns: the name with the fewest letters to change, insert, leave out or swap, regardless of case; the
///   first of equally near ones. A name that is a prefix of the other counts as near. Nil if none is near.
/// - Complexity: O(length²) for each name; names are cut at 60 bytes.
public func nearestName(to given: String, among names: [String]) -> String? {
  let letters = names.map { Array($0.lowercased().utf8.prefix(60)) }
  return indexOfNearestName(to: Array(given.lowercased().utf8.prefix(60)), among: letters).map { names[$0] }
}
