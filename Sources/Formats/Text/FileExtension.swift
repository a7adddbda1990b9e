/// Returns the extension of a file's name in lower case, `.gz` ignored; nil if there is none.
func fileExtension(_ name: String) -> String? {
  var parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
  if parts.count > 1, parts.last == "gz" { parts.removeLast() }
  return parts.count > 1 ? parts.last.map(String.init) : nil
}
