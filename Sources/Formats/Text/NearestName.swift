/// The name that somebody most likely meant who wrote another one.
///
/// - Returns: the one with the fewest letters to change, insert, leave out or swap; of equally near ones the first. A name that
///   begins as the other one, or the other way round, counts as near. Nil where none is near.
/// - Complexity: O(length²) for each name; names are cut at 60 bytes.
public func nearestName(to given: String, among names: [String]) -> String? {
  let wanted = Array(given.lowercased().utf8.prefix(60))
  var best: (name: String, changes: Int)?
  for name in names {
    let other = Array(name.lowercased().utf8.prefix(60))
    guard !other.isEmpty, !wanted.isEmpty else { continue }
    let isBeginning = other.starts(with: wanted) || wanted.starts(with: other)
    let changes = isBeginning && min(other.count, wanted.count) > 3 ? 1 : changesBetween(wanted, other)
    // Of three letters, one amiss is another name.
    guard changes <= min(wanted.count, other.count) / 4 + (min(wanted.count, other.count) > 3 ? 1 : 0) else {
      continue
    }
    if best.map({ changes < $0.changes }) ?? true { best = (name, changes) }
  }
  return best?.name
}

/// Letters to change, insert or leave out, or neighbours to swap (optimal string alignment).
private func changesBetween(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var before = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = [i] + [Int](repeating: 0, count: b.count)
    for j in 1...b.count {
      row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], before[j - 2] + 1) }
    }
    (before, last) = (last, row)
  }
  return last[b.count]
}
