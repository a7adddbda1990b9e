/// The Caddyfile of `--domain`: HTTPS for one name, passed on to this server.
enum CaddyConfiguration {
  /// - Parameters:
  ///   - publicURL: without a slash at the end; HTTP is redirected there.
  ///   - upstream: address and port on which the server listens.
  ///   - idleTimeoutSeconds: the time after which the server closes a silent connection.
  static func text(
    _ settings: CaddySettings, publicURL: String, upstream: String, idleTimeoutSeconds: Int
  ) -> String {
    let domain = settings.domain
    // A name for this machine is served only on the loopback address.
    let binding = settings.isThisMachine ? "\tbind 127.0.0.1\n" : ""
    let certificate = settings.isInternal ? "\ttls internal\n" : ""
    return """
      # Written by `proximity serve --domain` at each start of Caddy. Changes are lost.
      {
      \tadmin off
      \tauto_https disable_redirects
      \tskip_install_trust
      \tgrace_period 2s
      \thttp_port \(settings.httpPort)
      \thttps_port \(settings.httpsPort)
      \tservers {
      \t\ttimeouts {
      \t\t\tread_header \(idleTimeoutSeconds)s
      \t\t\tidle 2m
      \t\t}
      \t}
      }

      https://\(domain) {
      \(binding)\(certificate)\treverse_proxy \(upstream) {
      \t\ttransport http {
      \t\t\tdial_timeout 2s
      \t\t\t# The server closes an idle connection after \(idleTimeoutSeconds) s; Caddy has to close it first.
      \t\t\tkeepalive \(idleTimeoutSeconds * 2000 / 3)ms
      \t\t}
      \t\t# No flush_interval is needed: Caddy passes event streams and WebSockets on at once.
      \t}

      \thandle_errors {
      \t\theader Retry-After 5
      \t\trespond "The server does not answer. Please try again." 503
      \t}
      }

      http://\(domain) {
      \(binding)\tredir \(publicURL){uri} 308
      }

      """
  }
}
