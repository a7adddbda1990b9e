/// Cuts a JSON document of any length into the elements of its long arrays, a chunk at a time.
///
/// The rest of the document is kept and passed on at its end, with the long array empty; a document without
/// one is passed on whole. Several documents may follow one another (RFC 8142). Nothing is checked beyond the
/// nesting of brackets and strings.
package struct JSONSlicer {
  package enum Item {
    /// An element of a long array.
    case element([UInt8], line: Int)
    /// The outermost value, without the elements passed on before.
    case document([UInt8], line: Int, elements: Int)
    /// A comma without an element before or after it.
    case nothing(line: Int)
    case tooDeep(line: Int)
    case tooLong(line: Int)
    /// The file ends inside a value.
    case cutOff(line: Int)
  }

  package static let maximumDepth = 64
  /// The largest size in bytes of an element, and of the rest of the document: 1 GiB.
  package static let maximumLength = 1 << 30

  /// The number of bytes of a name that are compared with `keys`, the closing quotation mark included.
  private static let longestKey = 32

  /// The members of the outermost object that are long arrays.
  private let keys: [[UInt8]]
  /// True if the outermost value may be a long array itself.
  private let takesOutermost: Bool
  private var depth = 0
  private var inString = false
  private var escaped = false
  private var line = 1
  /// The nesting depth of the elements in the current long array; nil outside one.
  private var elementDepth: Int?
  /// True if a comma of the long array was the last token.
  private var needsElement = false
  private var elements = 0
  private var element = Gathered()
  private var document = Gathered()
  /// The last string directly inside the outermost object, and whether a colon came after it.
  private var lastString: [UInt8] = []
  private var isKey = false

  private struct Gathered {
    var bytes: [UInt8] = []
    var line = 0
    var deepest = 0
    var tooLong = false

    mutating func append(_ byte: UInt8, line: Int, depth: Int) {
      if bytes.isEmpty { self.line = line }
      deepest = max(deepest, depth)
      if bytes.count < JSONSlicer.maximumLength { bytes.append(byte) } else { tooLong = true }
    }

    mutating func append(_ more: UnsafeBufferPointer<UInt8>, line: Int, depth: Int) {
      if bytes.isEmpty { self.line = line }
      deepest = max(deepest, depth)
      if more.count <= JSONSlicer.maximumLength - bytes.count {
        bytes.append(contentsOf: more)
      } else {
        tooLong = true
      }
    }

    func item(_ whole: ([UInt8]) -> Item) -> Item {
      if tooLong { return .tooLong(line: line) }
      return deepest > JSONSlicer.maximumDepth ? .tooDeep(line: line) : whole(bytes)
    }
  }

  package init(keys: [String], takesOutermost: Bool = false) {
    self.keys = keys.map { Array($0.utf8) + [UInt8(ascii: "\"")] }
    self.takesOutermost = takesOutermost
  }

  package mutating func feed<Problem: Error>(
    _ chunk: [UInt8], to handle: (Item) throws(Problem) -> Void
  ) throws(Problem) {
    try chunk.withUnsafeBufferPointer { (bytes) throws(Problem) in
      var i = 0
      while i < bytes.count {
        let end = plainEnd(bytes, from: i)
        if end > i {
          keep(UnsafeBufferPointer(rebasing: bytes[i..<end]))
          i = end
        } else {
          try take(bytes[i], handle)
          i += 1
        }
      }
    }
  }

  package mutating func finish<Problem: Error>(_ handle: (Item) throws(Problem) -> Void) throws(Problem) {
    if depth > 0 || inString {
      try handle(.cutOff(line: line))
    } else {
      try endDocument(handle)
    }
  }

  private mutating func take<Problem: Error>(
    _ byte: UInt8, _ handle: (Item) throws(Problem) -> Void
  ) throws(Problem) {
    if byte == 10 { line += 1 }
    if inString {
      keep(byte)
      if depth == 1, lastString.count < Self.longestKey { lastString.append(byte) }
      if escaped {
        escaped = false
      } else if byte == UInt8(ascii: "\\") {
        escaped = true
      } else if byte == UInt8(ascii: "\"") {
        inString = false
      }
      return
    }
    switch byte {
    case 32, 9, 10, 13:
      // Kept between values, which they separate; dropped before the first one.
      if elementDepth == nil ? !document.bytes.isEmpty : !element.bytes.isEmpty { keep(byte) }
    case 0x1e where depth == 0: try endDocument(handle)
    case UInt8(ascii: "\""):
      inString = true
      if depth == 1 { (lastString, isKey) = ([], false) }
      keep(byte)
    case UInt8(ascii: ":"):
      if depth == 1 { isKey = true }
      keep(byte)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if depth == 0, !document.bytes.isEmpty { try endDocument(handle) }
      keep(byte)
      depth += 1
      if byte == UInt8(ascii: "["), elementDepth == nil, isLong { elementDepth = depth }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == elementDepth {
        try endElement(isLast: true, handle)
        elementDepth = nil
      }
      depth = max(0, depth - 1)
      keep(byte)
      if depth == 0 { try endDocument(handle) }
    case UInt8(ascii: ","):
      if depth == elementDepth {
        try endElement(isLast: false, handle)
      } else {
        if depth == 1 { isKey = false }
        keep(byte)
      }
    default:
      keep(byte)
    }
  }

  /// Returns the end of the bytes from `start` on that are only kept. Most bytes are, and are kept together.
  private func plainEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    if inString {
      guard depth != 1, !escaped else { return start }
      while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\"),
        bytes[end] != 10
      {
        end += 1
      }
      return end
    }
    while end < bytes.count {
      switch bytes[end] {
      case 48...57, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "a")...UInt8(ascii: "z"): end += 1
      default: return end
      }
    }
    return end
  }

  private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) {
    if elementDepth != nil {
      element.append(bytes, line: line, depth: depth)
    } else {
      document.append(bytes, line: line, depth: depth)
    }
  }

  /// True if the array that just began is a long one.
  private var isLong: Bool { depth == 1 ? takesOutermost : depth == 2 && isKey && keys.contains(lastString) }

  private mutating func keep(_ byte: UInt8) {
    if elementDepth != nil {
      element.append(byte, line: line, depth: depth)
    } else {
      document.append(byte, line: line, depth: depth)
    }
  }

  private mutating func endElement<Problem: Error>(
    isLast: Bool, _ handle: (Item) throws(Problem) -> Void
  ) throws(Problem) {
    let ended = element
    element = Gathered()
    let isNeeded = needsElement || !isLast
    needsElement = !isLast
    if !ended.bytes.isEmpty {
      elements += 1
      try handle(ended.item { .element($0, line: ended.line) })
    } else if isNeeded {
      try handle(.nothing(line: line))
    }
  }

  private mutating func endDocument<Problem: Error>(
    _ handle: (Item) throws(Problem) -> Void
  ) throws(Problem) {
    let ended = document
    let count = elements
    document = Gathered()
    elements = 0
    isKey = false
    guard !ended.bytes.isEmpty else { return }
    try handle(ended.item { .document($0, line: ended.line, elements: count) })
  }
}
