/// Finds the name that was most likely meant by a misspelt one.
///
/// - Returns: the index of the name with the fewest letters to change, insert, leave out or swap; of equally
///   near ones the first. If one name is the beginning of the other, by four letters or more, that counts as
///   one change. Nil if no name is near.
/// - Parameters:
///   - given: the misspelt name, in small letters like `names`.
///   - atMost: the greatest number of letters that may differ, if it is to be below a quarter of the letters
///     plus one.
/// - Complexity: O(length²) for each name; names are cut at 60 bytes.
package func indexOfNearestName(to given: [UInt8], among names: [[UInt8]], atMost: Int = .max) -> Int? {
  let wanted = Array(given.prefix(60))
  var best: (index: Int, changes: Int)?
  for index in names.indices {
    let other = Array(names[index].prefix(60))
    let shorter = min(other.count, wanted.count)
    guard shorter > 0 else { continue }
    let isBeginning = other.starts(with: wanted) || wanted.starts(with: other)
    let changes = isBeginning && shorter > 3 ? 1 : lettersChanged(wanted, other)
    // A name of at most three letters is another name if one of them differs.
    guard changes <= min(atMost, shorter / 4 + (shorter > 3 ? 1 : 0)) else { continue }
    if changes < best?.changes ?? .max { best = (index, changes) }
  }
  return best?.index
}

/// The number of letters to change, insert or leave out, or of neighbours to swap (optimal string alignment).
package func lettersChanged(_ a: [UInt8], _ b: [UInt8]) -> Int {
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  var before = [Int](repeating: 0, count: b.count + 1)
  var last = before
  for j in 1...b.count { last[j] = j }
  for i in 1...a.count {
    var row = [Int](repeating: 0, count: b.count + 1)
    row[0] = i
    for j in 1...b.count {
      row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], before[j - 2] + 1) }
    }
    (before, last) = (last, row)
  }
  return last[b.count]
}
