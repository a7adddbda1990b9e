/// The other documents that a KML document includes by network links.
package struct KMLLinks {
  package init() {}

  private var isInNetworkLink = false
  private var isInLink = false
  package private(set) var found: [(address: String, line: Int)] = []

  /// - Returns: whether the element's text is wanted.
  package mutating func start(_ name: String) -> Bool {
    switch name {
    case "NetworkLink": isInNetworkLink = true
    // KML 2.0 has the second.
    case "Link", "Url": isInLink = isInNetworkLink
    default: break
    }
    return name == "href" && isInLink
  }

  package mutating func end(_ name: String, text: String, line: Int) {
    switch name {
    case "NetworkLink": (isInNetworkLink, isInLink) = (false, false)
    case "Link", "Url": isInLink = false
    case "href" where isInLink:
      let address = text.trimmed
      if !address.isEmpty { found.append((address, line)) }
    default: break
    }
  }

  /// Returns and removes the links found, each once.
  package mutating func taken() -> [(address: String, line: Int)] {
    defer { self = Self() }
    return found
  }
}

/// A reader of KML documents, which may link to each other.
package protocol KMLDocumentReader: XMLElementReader {
  var links: KMLLinks { get set }
  /// Discards elements left open by a truncated document and begins the document of that name in the archive.
  func begin(document: String)
  /// Reports a link that is not followed.
  func noteLink(_ severity: ReadIssue.Severity, line: Int, _ message: String)
}

extension KMLDocumentReader {
  package func noteLink(_ severity: ReadIssue.Severity, line: Int, _ message: String) {
    note(severity, line: line, message)
  }

  /// Reports that the links are not followed.
  package func noteLinks() {
    for (address, line) in links.taken() { noteLink(address, line, "is not read: only this document is") }
  }

  package func noteLink(_ address: String, _ line: Int, isError: Bool = false, _ why: String) {
    noteLink(
      isError ? .error : .warning, line: line, "a link to \"\(address.prefix(200))\" found, which \(why)")
  }
}
