/// Names and other words of a place as they come from outside.
package enum PlaceText {
  /// Unicode scalars that are kept; OpenStreetMap allows 255.
  static let longest = 255

  /// Without control characters, without blanks at the ends, and of bounded length.
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
