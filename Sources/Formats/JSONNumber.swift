import Foundation

/// A number of `JSONSerialization`, which gives logical values as numbers as well.
func jsonNumber(_ value: Any?) -> Double? {
  guard let number = value as? NSNumber else { return nil }
  let double = number.doubleValue
  guard double.isFinite else { return nil }
  // Only these two can be logical values; asking costs more than the rest.
  if double == 0 || double == 1, String(cString: number.objCType) == "c" { return nil }
  return double
}
