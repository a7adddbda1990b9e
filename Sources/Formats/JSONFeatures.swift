/// Cuts a GeoJSON document of any length into its features, a chunk at a time.
///
/// What lies around the `features` array of the outermost object is kept and handed out at its end, the array
/// empty in it; a document without such an array is handed out whole. Several documents may follow one another
/// (RFC 8142). Nothing is checked beyond the nesting of brackets and strings.
struct JSONFeatures {
  enum Item {
    /// An element of the `features` array.
    case feature([UInt8], line: Int)
    /// The outermost value, its features taken out.
    case document([UInt8], line: Int, features: Int)
    case tooDeep(line: Int)
    case tooLong(line: Int)
    /// The file ends inside something.
    case cutOff(line: Int)
  }

  static let maximumDepth = 64
  static let maximumLength = 1 << 28

  private var depth = 0
  private var inString = false
  private var escaped = false
  private var line = 1
  /// Inside the `features` array of the outermost object.
  private var inFeatures = false
  private var features = 0
  private var feature = Gathered()
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
      if bytes.count < JSONFeatures.maximumLength { bytes.append(byte) } else { tooLong = true }
    }
  }

  mutating func feed(_ chunk: [UInt8], to handle: (Item) throws -> Void) rethrows {
    for byte in chunk { try take(byte, handle) }
  }

  mutating func finish(_ handle: (Item) throws -> Void) rethrows {
    if depth > 0 || inString {
      try handle(.cutOff(line: line))
    } else {
      try endDocument(handle)
    }
  }

  private mutating func take(_ byte: UInt8, _ handle: (Item) throws -> Void) rethrows {
    if byte == 10 { line += 1 }
    if inString {
      keep(byte)
      if depth == 1, lastString.count < 16 { lastString.append(byte) }
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
    case 32, 9, 10, 13, 0x1e:
      return  // Blanks between values mean nothing; 0x1e separates documents.
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
      if depth == 2, byte == UInt8(ascii: "["), isKey, lastString == Array("features\"".utf8) {
        inFeatures = true
      }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth = max(0, depth - 1)
      if inFeatures, depth == 1 {
        try endFeature(handle)
        inFeatures = false
      }
      keep(byte)
      if depth == 0 { try endDocument(handle) }
    case UInt8(ascii: ","):
      if inFeatures, depth == 2 {
        try endFeature(handle)
      } else {
        if depth == 1 { isKey = false }
        keep(byte)
      }
    default:
      keep(byte)
    }
  }

  private mutating func keep(_ byte: UInt8) {
    if inFeatures {
      feature.append(byte, line: line, depth: depth)
    } else {
      document.append(byte, line: line, depth: depth)
    }
  }

  private mutating func endFeature(_ handle: (Item) throws -> Void) rethrows {
    let ended = feature
    guard !ended.bytes.isEmpty else { return }
    feature = Gathered()
    features += 1
    if ended.tooLong {
      try handle(.tooLong(line: ended.line))
    } else if ended.deepest > Self.maximumDepth {
      try handle(.tooDeep(line: ended.line))
    } else {
      try handle(.feature(ended.bytes, line: ended.line))
    }
  }

  private mutating func endDocument(_ handle: (Item) throws -> Void) rethrows {
    let ended = document
    let count = features
    guard !ended.bytes.isEmpty else { return }
    document = Gathered()
    features = 0
    isKey = false
    if ended.tooLong {
      try handle(.tooLong(line: ended.line))
    } else if ended.deepest > Self.maximumDepth {
      try handle(.tooDeep(line: ended.line))
    } else {
      try handle(.document(ended.bytes, line: ended.line, features: count))
    }
  }
}
