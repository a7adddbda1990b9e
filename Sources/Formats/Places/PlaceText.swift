/// Cleans names and other texts of a place that come from outside.
package enum PlaceText {
  /// Unicode scalars that are kept; OpenStreetMap allows 255.
  static let longest = 255

  /// Removes control characters and surrounding blanks, and limits the length.
  package static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var count = 0
    var blanks = 0
    for scalar in text.unicodeScalars {
      if scalar.value <= 0x20 || (0x7f...0x9f).contains(scalar.value) {
        blanks += 1
        continue
      }
      if blanks > 0, count > 0 {
        scalars.append(" ")
        count += 1
      }
      blanks = 0
      guard count < longest else { break }
      scalars.append(scalar)
      count += 1
    }
    return String(scalars)
  }
}
