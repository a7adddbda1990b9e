import CommandLineSupport

/// The points of a line that remain if deviations up to `tolerance` may be lost; the first and the last
/// always do.
///
/// With `times`, one for each point, a point is compared with the place at its time of a steady motion along
/// the simplified line, so that stops and speeds are preserved as well (N. Meratnia, R. de By, EDBT 2004);
/// else with the line.
///
/// D. Douglas, T. Peucker, "Algorithms for the reduction of the number of points", Cartographica 10 (1973), over
/// stretches of at most 1,000 points, so that the time is linear.
/// - Returns: positions in `line`, ascending.
func simplified(_ line: [DrawnPoint], times: [Double]? = nil, tolerance: Double) -> [Int] {
  guard line.count > 2 else { return Array(line.indices) }
  var kept: [Int] = []
  for start in stride(from: 0, to: line.count - 1, by: 1000) {
    let end = min(start + 1000, line.count - 1)
    var keeps = [Bool](repeating: false, count: end - start + 1)
    keeps[0] = true
    var open = [(start, end)]
    while let (first, last) = open.popLast() {
      guard last - first > 1, let farthest = farthest(in: line, times, first, last),
        farthest.distance > tolerance
      else {
        continue
      }
      keeps[farthest.index - start] = true
      open.append((first, farthest.index))
      open.append((farthest.index, last))
    }
    for (offset, keep) in keeps.enumerated() where keep { kept.append(start + offset) }
  }
  kept.append(line.count - 1)
  return kept
}

/// The smallest tolerance, doubling from `tolerance`, that leaves at most `limit` points.
func simplified(_ line: [DrawnPoint], times: [Double], tolerance: Double, limit: Int) -> [Int] {
  var tolerance = tolerance
  var kept = simplified(line, times: times, tolerance: tolerance)
  // Each section of a thousand points keeps one, whatever the tolerance.
  while kept.count > max(limit, line.count / 1000 + 2) {
    tolerance *= 2
    kept = simplified(line, times: times, tolerance: tolerance)
  }
  return kept
}

private func farthest(in line: [DrawnPoint], _ times: [Double]?, _ first: Int, _ last: Int) -> (
  index: Int, distance: Double
)? {
  let a = line[first]
  let b = line[last]
  let dx = b.x - a.x
  let dy = b.y - a.y
  let length = dx * dx + dy * dy
  var best: (index: Int, distance: Double)?
  for index in first + 1..<last {
    let p = line[index]
    let share: Double
    if let times {
      let whole = times[last] - times[first]
      share = whole > 0 ? (times[index] - times[first]) / whole : 0
    } else {
      share = length > 0 ? max(0, min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0
    }
    let ex = p.x - a.x - share * dx
    let ey = p.y - a.y - share * dy
    let distance = (ex * ex + ey * ey).squareRoot()
    if distance > best?.distance ?? -1 { best = (index, distance) }
  }
  return best
}
