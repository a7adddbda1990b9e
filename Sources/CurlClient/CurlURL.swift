import CCurl

/// The host and port of a URL, as libcurl will read it.
package struct CurlURL {
  /// A name in ASCII, or an address without brackets.
  package let host: String
  package let port: Int

  /// Nil for a text that libcurl does not take for a URL with a host.
  package init?(_ text: String) {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    func part(_ which: CURLUPart, _ flags: Int32 = 0) -> String? {
      var found: UnsafeMutablePointer<CChar>?
      guard curl_url_get(url, which, &found, UInt32(flags)) == CURLUE_OK, let found else { return nil }
      defer { curl_free(found) }
      return String(cString: found)
    }
    guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK, let host = part(CURLUPART_HOST),
      !host.isEmpty,
      let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) })
    else { return nil }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    self.port = port
  }
}
