/// What stands behind the last point of a file's name, in lower case, `.gz` not counted; nil where there is no point.
func fileExtension(_ name: String) -> String? {
  var parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
  if parts.count > 1, parts.last == "gz" { parts.removeLast() }
  return parts.count > 1 ? parts.last.map(String.init) : nil
}
