/// A number with a fixed count of decimals, never in exponents, never "-0".
///
/// Rounded half away from zero. The same in every locale.
/// - Precondition: `value` is finite; `decimals` is 0 to 9.
package func fixedPoint(_ value: Double, decimals: Int) -> String {
  precondition(value.isFinite && (0...9).contains(decimals), "a finite number with 0 to 9 decimals")
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = (abs(value) * scale).rounded()
  // Numbers beyond 2^63 need no decimals, and exceed Int64.
  guard scaled < 9e18 else { return "\(value)" }
  let units = Int64(scaled)
  let sign = value < 0 && units != 0 ? "-" : ""
  guard decimals > 0 else { return sign + String(units) }
  let whole = units / Int64(scale)
  let digits = String(units % Int64(scale))
  return sign + String(whole) + "." + String(repeating: "0", count: decimals - digits.count) + digits
}

/// A share as a percentage with one decimal, "12.5 %"; a dash if it has no value.
package func percentage(_ share: Double) -> String {
  share.isFinite ? fixedPoint(100 * share, decimals: 1) + " %" : "-"
}
