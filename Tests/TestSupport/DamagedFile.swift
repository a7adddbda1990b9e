/// Changes a file at one place, as a broken disk or a careless editor would.
public func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
  guard !bytes.isEmpty else { return }
  let at = Int.random(in: 0..<bytes.count, using: &generator)
  let length = min(bytes.count - at, Int.random(in: 1...40, using: &generator))
  switch Int.random(in: 0..<6, using: &generator) {
  case 0: bytes[at] = .random(in: 0...255, using: &generator)
  case 1: bytes.removeSubrange(at..<at + length)
  case 2: bytes.insert(contentsOf: bytes[at..<at + length], at: at)
  case 3: bytes.removeSubrange(at...)
  case 4: bytes[at] = Array("{}[]\",:<>&;-.eE019\n\r\0".utf8).randomElement(using: &generator) ?? 0
  default: bytes.insert(contentsOf: Array("99999999999".utf8), at: at)
  }
}
