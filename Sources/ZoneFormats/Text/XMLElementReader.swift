/// The callbacks of a reader of an XML format, called for each element in order.
package protocol XMLElementReader: AnyObject {
  /// The local names, without prefix, that the root element may have; messages name the first.
  var rootNames: [String] { get }
  /// Starts an element, and returns whether its text is wanted.
  func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool
  /// - Parameter text: all text directly inside the element if it was wanted, else empty.
  func end(_ name: String, text: String, line: Int)
  /// Reports an unreadable tag: the open elements may belong to two points.
  func lostTag()
  /// Reports malformed XML; its element may be lost.
  func note(_ severity: ReadIssue.Severity, line: Int?, _ message: String)
}
