#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One exchange with another server, over HTTP or SMTP.
package struct CurlRequest: Sendable {
  package enum Content: Sendable {
    case http(HTTP)
    case mail(Mail)
  }

  package struct HTTP: Sendable {
    package var method: String
    /// Each is sent as it stands.
    /// - Precondition: `CurlRequest.isHeader` of each.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Bytes of an answer's body that are read; the connection is closed where there are more.
    package var mostOfAnswer: Int
    /// HTTP/2 where the other side can, over TLS.
    package var speaksHTTP2: Bool

    package init(
      method: String, headers: [(name: String, value: String)], body: [UInt8], mostOfAnswer: Int,
      speaksHTTP2: Bool
    ) {
      self.method = method
      self.headers = headers
      self.body = body
      self.mostOfAnswer = mostOfAnswer
      self.speaksHTTP2 = speaksHTTP2
    }
  }

  /// One mail to one recipient (RFC 5321).
  package struct Mail: Sendable {
    package var sender: String
    package var recipient: String
    /// Every line ends in CRLF. libcurl doubles the dots at the beginnings of lines.
    package var message: [UInt8]
    /// Nil: no AUTH.
    package var login: (user: String, password: String)?
    /// In a clear connection: nothing but EHLO is said before STARTTLS.
    package var needsSTARTTLS: Bool
    /// For a reply for which libcurl keeps its thread waiting: that to the message. In whole seconds, rounded up.
    package var acceptanceLimit: Duration

    package init(
      sender: String, recipient: String, message: [UInt8], login: (user: String, password: String)?,
      needsSTARTTLS: Bool, acceptanceLimit: Duration
    ) {
      self.sender = sender
      self.recipient = recipient
      self.message = message
      self.login = login
      self.needsSTARTTLS = needsSTARTTLS
      self.acceptanceLimit = acceptanceLimit
    }
  }

  /// http, https, smtp or smtps.
  package var url: String
  package var content: Content
  /// For the look-up, the connection and TLS.
  package var connectLimit: Duration
  /// For the whole exchange; nil: the observer's deadlines alone.
  package var limit: Duration?
  /// A PEM file of certificates to trust in place of the system's.
  package var trustRoots: String?
  /// IP addresses of the URL's host, the preferred first. Empty: libcurl looks them up.
  package var addresses: [String] = []
  /// Asked when a socket to an address is about to be opened; false goes on to the next address.
  package var allows: (@Sendable (UnsafePointer<sockaddr>) -> Bool)?
  /// Told the lines of a conversation.
  package var observer: (any CurlObserver)?

  package init(url: String, content: Content, connectLimit: Duration, limit: Duration?, trustRoots: String?) {
    self.url = url
    self.content = content
    self.connectLimit = connectLimit
    self.limit = limit
    self.trustRoots = trustRoots
  }

  /// True if a field can stand in a request: its name is a token, its value has no control characters (RFC 9110, section 5).
  package static func isHeader(name: String, value: String) -> Bool {
    let separators = Array("\"(),/:;<=>?@[\\]{} ".utf8)
    return !name.isEmpty && name.utf8.allSatisfy { (33...126).contains($0) && !separators.contains($0) }
      && value.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
  }
}

/// Follows a conversation of lines. It is called on the client's thread alone, until the exchange has ended.
package protocol CurlObserver: AnyObject, Sendable {
  /// A command that was sent.
  /// - Returns: false where no reply need be awaited.
  func sent(_ line: String) -> Bool
  /// A line of the other side's reply.
  /// - Returns: false where nothing more of it need be read.
  func received(_ line: String) -> Bool
  /// When the exchange is given up, unless `connectLimit` comes first.
  var deadline: ContinuousClock.Instant { get }
  /// True once the exchange is to be given up.
  var isOver: Bool { get }
}

/// An answer over HTTP.
package struct CurlAnswer: Sendable {
  /// 100 to 599; after a mail the last reply's code.
  package let status: Int
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]
}

/// Why there was no answer.
package struct CurlFailure: Error, Sendable {
  package enum Reason: Sendable {
    case cancelled
    /// The observer wanted the exchange to end.
    case givenUp
    /// The host has no address.
    case unknownHost
    /// No address could be connected to.
    case unreachable
    /// A limit has passed.
    case timedOut(during: Stage)
    /// TLS was not agreed on, or the certificate is not trusted.
    case insecure
    case connectionLost
    /// Not what the protocol allows.
    case garbled
    /// Refused by the other side, in its own words.
    case refused
  }
  package enum Stage: Sendable { case connecting, handshake, exchange }

  package let reason: Reason
  /// For a log.
  package let words: String
}
