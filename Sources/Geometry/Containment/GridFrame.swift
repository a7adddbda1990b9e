/// Cells of one size, named by column and row from a corner.
struct GridFrame {
  let scale: GridScale
  /// The corner, in tiles.
  let u: Double
  let v: Double
  /// Cells along a tile.
  let perTile: (columns: Double, rows: Double)

  /// Reports the rectangles of cells that lie wholly inside an outline, and the undecided single cells as
  /// nil. Rectangles wholly outside are not reported.
  ///
  /// The signed distance changes by at most the distance moved: a rectangle whose middle is farther from the
  /// boundary than its corners are from the middle is on one side of it. Others are halved.
  func classify(
    _ entry: OutlineIndex.Entry, columns: Range<Int>, rows: Range<Int>,
    tell: (Range<Int>, Range<Int>, Bool?) -> Void
  ) {
    let (middle, reach) = middle(columns, rows)
    let distance =
      entry.outline.signedMetres(from: Query(middle), limit: reach + abs(entry.inset.metres) + 1)
      + entry.inset.metres
    if distance > reach + 0.001 { return }
    if distance < -reach - 0.001 { return tell(columns, rows, true) }
    if columns.count == 1, rows.count == 1 { return tell(columns, rows, nil) }
    if columns.count >= rows.count {
      let half = columns.lowerBound + columns.count / 2
      classify(entry, columns: columns.lowerBound..<half, rows: rows, tell: tell)
      classify(entry, columns: half..<columns.upperBound, rows: rows, tell: tell)
    } else {
      let half = rows.lowerBound + rows.count / 2
      classify(entry, columns: columns, rows: rows.lowerBound..<half, tell: tell)
      classify(entry, columns: columns, rows: half..<rows.upperBound, tell: tell)
    }
  }

  /// The middle of a rectangle, and metres beyond which none of its places lies from there: the straight line in
  /// longitude and latitude is not shorter than the geodesic.
  private func middle(_ columns: Range<Int>, _ rows: Range<Int>) -> (Coordinate, Double) {
    let west = scale.longitude(u + Double(columns.lowerBound) / perTile.columns)
    let east = scale.longitude(u + Double(columns.upperBound) / perTile.columns)
    let south = max(-90, scale.latitude(v + Double(rows.lowerBound) / perTile.rows))
    let north = min(90, scale.latitude(v + Double(rows.upperBound) / perTile.rows))
    let nearest = south < 0 && north > 0 ? 0 : min(abs(south), abs(north))
    let cosine = Trigonometry.sineAndCosine(ofDegrees: nearest).cosine
    let height = (north - south) * Earth.mostMetresPerDegree
    let width = (east - west) * Earth.mostMetresPerDegree * cosine
    let middle = Coordinate(latitude: .degrees((south + north) / 2), longitude: .degrees((west + east) / 2))
    return (middle, (height * height + width * width).squareRoot() / 2)
  }
}
