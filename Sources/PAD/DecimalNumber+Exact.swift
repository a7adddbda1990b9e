import AlarmEngine

extension DecimalNumber.Scanned {
  /// The nearest double, by comparing whole numbers of any length; infinite if it is too large.
  var exactValue: Double {
    // The value lies in 10^(size - 1) ..< 10^size.
    let size = count + exponent
    if size > 310 { return .infinity }
    if size < -330 { return 0 }

    var guess = approximation
    let written = Written(self)
    // The guess is at most some tens of steps away.
    while written.isAboveHalfway(after: guess) {
      guess = guess.nextUp
      if guess.isInfinite { return guess }
    }
    while guess > 0, !written.isAboveHalfway(after: guess.nextDown) { guess = guess.nextDown }
    return guess
  }

  /// A finite double near the value.
  private var approximation: Double {
    var power = exponent + (count - min(count, 19))
    var value = Double(leading)
    while power > 0 {
      let step = min(power, 22)
      value *= Self.exactPowers[step]
      power -= step
    }
    while power < 0 {
      let step = min(-power, 22)
      value /= Self.exactPowers[step]
      power += step
    }
    return min(value, .greatestFiniteMagnitude)
  }
}

/// The number as written: `digits` times ten to the `exponent`.
private struct Written {
  let digits: WholeNumber
  let exponent: Int

  init(_ scanned: DecimalNumber.Scanned) {
    exponent = scanned.exponent
    if scanned.digits.isEmpty {
      digits = WholeNumber(scanned.leading)
    } else {
      var number = WholeNumber(0)
      for digit in scanned.digits { number.multiply(by: 10, adding: UInt32(digit)) }
      digits = number
    }
  }

  /// True if the number rounds to a double above `a`: it is beyond the middle between `a` and the next
  /// double, or on it if the next one is even.
  func isAboveHalfway(after a: Double) -> Bool {
    let bits = a.bitPattern
    let field = Int(bits >> 52)
    let fraction = bits & (1 << 52 - 1)
    let significand = field == 0 ? fraction : fraction | 1 << 52
    // a = significand * 2^power; the middle is one half of the last place above.
    let power = max(field, 1) - 1075
    var middle = WholeNumber(significand * 2 + 1)
    var number = digits
    let twos = power - 1 - exponent
    if exponent > 0 {
      number.multiply(byPowerOfFive: exponent)
    } else {
      middle.multiply(byPowerOfFive: -exponent)
    }
    if twos > 0 { middle.shiftLeft(by: twos) } else { number.shiftLeft(by: -twos) }
    switch number.compared(to: middle) {
    case 1: return true
    case 0: return significand & 1 == 1
    default: return false
    }
  }
}

/// A natural number of any length, least significant word first, no zero word last.
private struct WholeNumber {
  private var words: [UInt32]

  init(_ value: UInt64) {
    words = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    while words.last == 0 { words.removeLast() }
  }

  mutating func multiply(by factor: UInt32, adding addend: UInt32 = 0) {
    var carry = UInt64(addend)
    for index in words.indices {
      let product = UInt64(words[index]) * UInt64(factor) + carry
      words[index] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry != 0 { words.append(UInt32(truncatingIfNeeded: carry)) }
  }

  mutating func multiply(byPowerOfFive power: Int) {
    var rest = power
    while rest >= 13 {
      multiply(by: 1_220_703_125)  // 5^13, the largest in a word.
      rest -= 13
    }
    for _ in 0..<rest { multiply(by: 5) }
  }

  mutating func shiftLeft(by bits: Int) {
    guard !words.isEmpty else { return }
    let within = UInt32(bits % 32)
    if within > 0 { multiply(by: 1 << within) }
    words.insert(contentsOf: [UInt32](repeating: 0, count: bits / 32), at: 0)
  }

  /// Returns -1 if the number is below `other`, 0 if equal, 1 if above.
  func compared(to other: Self) -> Int {
    if words.count != other.words.count { return words.count < other.words.count ? -1 : 1 }
    for index in words.indices.reversed() where words[index] != other.words[index] {
      return words[index] < other.words[index] ? -1 : 1
    }
    return 0
  }
}
