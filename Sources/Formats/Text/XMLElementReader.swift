/// What a reader of an XML format does with the elements as they pass by.
protocol XMLElementReader: AnyObject {
  /// The local names, without prefix, that the root element may have; messages name the first.
  var rootNames: [String] { get }
  /// Whether the text inside the element just started is wanted.
  func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool
  /// - Parameter text: all text directly inside the element if it was wanted, else empty.
  func end(_ name: String, text: String, line: Int)
  /// A tag could not be read: what is open may belong to two points.
  func lostTag()
  /// Something in the XML is not as it should be; what it belongs to may be lost.
  func note(_ severity: ReadIssue.Severity, line: Int?, _ message: String)
}
