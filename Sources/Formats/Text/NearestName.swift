import AlarmEngine

/// The name that somebody most likely meant who wrote another one.
///
/// - Returns: the one with the fewest letters to change, insert, leave out or swap, whatever their case; of equally near ones
///   the first. A name that begins as the other one, or the other way round, counts as near. Nil where none is near.
/// - Complexity: O(length²) for each name; names are cut at 60 bytes.
public func nearestName(to given: String, among names: [String]) -> String? {
  let letters = names.map { Array($0.lowercased().utf8.prefix(60)) }
  return indexOfNearestName(to: Array(given.lowercased().utf8.prefix(60)), among: letters).map { names[$0] }
}
