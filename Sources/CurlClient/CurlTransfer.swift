import CCurl
import Foundation
import Synchronization

/// One exchange: the settings of a libcurl handle, and what has come of it. But for `isCancelled` it belongs to its
/// client's thread once it has begun.
final class CurlTransfer: @unchecked Sendable {
  let request: CurlRequest
  let isCancelled = Atomic(false)
  private(set) var began = ContinuousClock.now
  /// Nil before `prepare` and after `release`.
  private(set) var handle: UnsafeMutableRawPointer?

  private var lists: [UnsafeMutablePointer<curl_slist>] = []
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  /// The rest of the mail, not sent yet.
  private var unsent: ArraySlice<UInt8> = []
  private var status = 0
  private var headers: [(name: String, value: String)] = []
  private var headerBytes = 0
  private var body: [UInt8] = []
  private var hasMore = false
  /// Nil while there is none. It is closed under the lock, so that nobody disconnects another one of the same number.
  private let socket = Mutex<curl_socket_t?>(nil)
  private var line: [UInt8] = []

  /// Bytes of an answer's head, names and values together.
  private static let mostOfHead = 65_536

  init(_ request: CurlRequest) {
    self.request = request
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { message.deallocate() }

  /// - Returns: false where the request is none for libcurl.
  func prepare() -> Bool {
    guard let handle = curl_easy_init() else { return false }
    began = .now
    self.handle = handle
    var isRight = true
    func check(_ code: CURLcode) { isRight = isRight && code == CURLE_OK }
    check(curl_set_text(handle, CURLOPT_URL, request.url))
    check(curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message))
    check(curl_set_long(handle, CURLOPT_NOSIGNAL, 1))
    // Not even one that the environment names.
    check(curl_set_text(handle, CURLOPT_PROXY, ""))
    check(curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0))
    check(curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)))
    if let limit = request.limit {
      check(curl_set_long(handle, CURLOPT_TIMEOUT_MS, Self.milliseconds(limit)))
    }
    if let roots = request.trustRoots { check(curl_set_text(handle, CURLOPT_CAINFO, roots)) }
    let own = Unmanaged.passUnretained(self).toOpaque()
    check(curl_set_socket_opener(handle, openSocket))
    check(curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, own))
    if request.observer != nil {
      check(curl_set_socket_closer(handle, closeSocket))
      check(curl_set_pointer(handle, CURLOPT_CLOSESOCKETDATA, own))
    }
    check(curl_set_writer(handle, CURLOPT_WRITEFUNCTION, takeBody))
    check(curl_set_pointer(handle, CURLOPT_WRITEDATA, own))
    check(curl_set_reader(handle, giveBody))
    check(curl_set_pointer(handle, CURLOPT_READDATA, own))
    if !request.addresses.isEmpty { check(resolve(handle)) }
    switch request.content {
    case .http(let http): prepare(http, handle, own, check)
    case .mail(let mail): prepare(mail, handle, own, check)
    }
    return isRight
  }

  private func prepare(
    _ http: CurlRequest.HTTP, _ handle: UnsafeMutableRawPointer, _ own: UnsafeMutableRawPointer,
    _ check: (CURLcode) -> Void
  ) {
    check(curl_set_long(handle, CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS)))
    check(curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.connectLimit)))
    check(
      curl_set_long(
        handle, CURLOPT_HTTP_VERSION, http.speaksHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
    // Waits for a connection that may carry this request, too, in place of opening another.
    check(curl_set_long(handle, CURLOPT_PIPEWAIT, http.speaksHTTP2 ? 1 : 0))
    check(curl_set_writer(handle, CURLOPT_HEADERFUNCTION, takeHeader))
    check(curl_set_pointer(handle, CURLOPT_HEADERDATA, own))
    if http.method == "HEAD" {
      check(curl_set_long(handle, CURLOPT_NOBODY, 1))
    } else if http.method != "GET" || !http.body.isEmpty {
      check(curl_set_long(handle, CURLOPT_POST, 1))
      check(curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(http.body.count)))
      // A copy, which libcurl can send again where a kept connection turns out to be closed.
      if !http.body.isEmpty {
        check(http.body.withUnsafeBytes { curl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) })
      }
      check(curl_set_text(handle, CURLOPT_CUSTOMREQUEST, http.method))
    }
    // Without a value, libcurl leaves out what it would add by itself.
    var lines = ["Expect:"]
    if !http.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    for (name, value) in http.headers { lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)") }
    check(curl_set_list(handle, CURLOPT_HTTPHEADER, list(lines)))
  }

  private func prepare(
    _ mail: CurlRequest.Mail, _ handle: UnsafeMutableRawPointer, _ own: UnsafeMutableRawPointer,
    _ check: (CURLcode) -> Void
  ) {
    check(curl_set_long(handle, CURLOPT_PROTOCOLS, Int(CURLPROTO_SMTP | CURLPROTO_SMTPS)))
    check(curl_set_text(handle, CURLOPT_MAIL_FROM, "<\(mail.sender)>"))
    check(curl_set_list(handle, CURLOPT_MAIL_RCPT, list(["<\(mail.recipient)>"])))
    unsent = mail.message[...]
    check(curl_set_long(handle, CURLOPT_UPLOAD, 1))
    check(curl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(mail.message.count)))
    if mail.needsSTARTTLS { check(curl_set_long(handle, CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))) }
    if let login = mail.login {
      check(curl_set_text(handle, CURLOPT_USERNAME, login.user))
      check(curl_set_text(handle, CURLOPT_PASSWORD, login.password))
      check(curl_set_text(handle, CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN"))
      check(curl_set_long(handle, CURLOPT_SASL_IR, 1))
    }
    // The observer has the time for each step but the last; libcurl counts the greeting and AUTH among connecting.
    check(curl_set_long(handle, CURLOPT_CONNECTTIMEOUT, 3600))
    check(
      curl_set_long(
        handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, Int((mail.acceptanceLimit / .seconds(1)).rounded(.up))))
    check(curl_set_long(handle, CURLOPT_FORBID_REUSE, 1))
    check(curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1))
    check(curl_set_listener(handle, listen))
    check(curl_set_pointer(handle, CURLOPT_DEBUGDATA, own))
    check(curl_set_long(handle, CURLOPT_VERBOSE, 1))
  }

  /// The addresses that are to be used for the host of the URL, as libcurl reads it. They are forgotten after a minute.
  private func resolve(_ handle: UnsafeMutableRawPointer) -> CURLcode {
    guard let place = CurlURL(request.url) else { return CURLE_URL_MALFORMAT }
    let addresses = request.addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
    return curl_set_list(handle, CURLOPT_RESOLVE, list(["+\(place.host):\(place.port):\(addresses)"]))
  }

  /// Kept until `release`.
  private func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { list = curl_slist_append(list, line) ?? list }
    if let list { lists.append(list) }
    return list
  }

  /// Gives the handle back; nothing is called any more.
  func release() {
    if let handle { curl_easy_cleanup(handle) }
    handle = nil
    for list in lists { curl_slist_free_all(list) }
    lists = []
  }

  func result(_ code: CURLcode) -> Result<CurlAnswer, CurlFailure> {
    guard let handle else { return .failure(CurlFailure(reason: .cancelled, words: "cancelled")) }
    // The client itself has stopped reading where there was more than it wants.
    guard code == CURLE_OK || code == CURLE_WRITE_ERROR && hasMore else {
      return .failure(CurlFailure(reason: reason(code, handle), words: words(code, handle)))
    }
    return .success(
      CurlAnswer(status: curl_get_long(handle, CURLINFO_RESPONSE_CODE), headers: headers, body: body))
  }

  private func reason(_ code: CURLcode, _ handle: UnsafeMutableRawPointer) -> CurlFailure.Reason {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unknownHost
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .unreachable
    case CURLE_OPERATION_TIMEDOUT: .timedOut(during: stage(handle))
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .insecure
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_AGAIN:
      .connectionLost
    case CURLE_LOGIN_DENIED, CURLE_REMOTE_ACCESS_DENIED, CURLE_AUTH_ERROR: .refused
    default: .garbled
    }
  }

  /// True until the socket of an observed transfer is connected.
  var isConnecting: Bool {
    socket.withLock { socket in
      var (address, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
      return withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          socket.map { getpeername($0, address, &length) != 0 } ?? true
        }
      }
    }
  }

  private func stage(_ handle: UnsafeMutableRawPointer) -> CurlFailure.Stage {
    if request.observer != nil { return isConnecting ? .connecting : .exchange }
    if curl_get_offset(handle, CURLINFO_PRETRANSFER_TIME_T) > 0 { return .exchange }
    return curl_get_offset(handle, CURLINFO_CONNECT_TIME_T) > 0 ? .handshake : .connecting
  }

  private func words(_ code: CURLcode, _ handle: UnsafeMutableRawPointer) -> String {
    let number = curl_get_long(handle, CURLINFO_OS_ERRNO)
    if code == CURLE_COULDNT_CONNECT, number != 0 { return String(cString: strerror(Int32(number))) }
    let told = String(cString: message)
    return told.isEmpty ? String(cString: curl_easy_strerror(code)) : told
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    max(1, Int((duration / .milliseconds(1)).rounded(.up)))
  }

  // MARK: What libcurl calls

  fileprivate func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
    // Longer than its type says: libcurl keeps room for every family.
    let place = UnsafeRawPointer(address).advanced(by: offset).assumingMemoryBound(to: sockaddr.self)
    if let allows = request.allows, !allows(place) { return curl_socket_t(-1) }
    #if os(Linux)
      let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = address.pointee.socktype
    #endif
    let opened = Foundation.socket(address.pointee.family, kind, address.pointee.`protocol`)
    if opened >= 0, request.observer != nil { socket.withLock { $0 = opened } }
    return opened
  }

  fileprivate func close(_ closing: curl_socket_t) -> Int32 {
    socket.withLock { socket in
      if socket == closing { socket = nil }
      return Foundation.close(closing)
    }
  }

  /// Ends a conversation, from any thread: whoever waits for a reply gets none. libcurl itself would end an unfinished mail
  /// as if it were whole, and wait for the reply.
  func disconnect() { shutDown(Int32(SHUT_RDWR)) }

  private func shutDown(_ how: Int32) {
    socket.withLock { socket in
      if let socket { shutdown(socket, how) }
    }
  }

  fileprivate func take(body bytes: UnsafeRawBufferPointer) -> Int {
    guard case .http(let http) = request.content else { return bytes.count }
    let room = http.mostOfAnswer - body.count
    body.append(contentsOf: bytes.prefix(room))
    hasMore = body.count >= http.mostOfAnswer
    return hasMore ? 0 : bytes.count
  }

  fileprivate func take(header bytes: UnsafeRawBufferPointer) -> Int {
    headerBytes += bytes.count
    guard headerBytes <= Self.mostOfHead else { return 0 }
    let text = String(decoding: bytes, as: UTF8.self)
    // Each answer begins anew, also after "100 Continue".
    if text.hasPrefix("HTTP/") { headers = [] }
    guard let colon = text.firstIndex(of: ":") else { return bytes.count }
    headers.append(
      (
        String(text[..<colon]),
        text[text.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
      ))
    return bytes.count
  }

  fileprivate func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
    if request.observer?.isOver == true { return Int(CURL_READFUNC_ABORT) }
    let part = unsent.prefix(room.count)
    room.copyBytes(from: part)
    unsent = unsent.dropFirst(part.count)
    return part.count
  }

  fileprivate func hear(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    guard let observer = request.observer else { return }
    switch kind {
    case CURLINFO_HEADER_OUT:
      if !observer.sent(String(decoding: bytes, as: UTF8.self)) { shutDown(Int32(SHUT_RD)) }
    case CURLINFO_HEADER_IN:
      line += bytes
      while let end = line.firstIndex(of: 10) {
        let text = String(decoding: line[..<end], as: UTF8.self).trimmingCharacters(
          in: .whitespacesAndNewlines)
        line.removeSubrange(...end)
        // libcurl would wait for the answer to its farewell.
        if !observer.received(text) { shutDown(Int32(SHUT_RD)) }
      }
    default: break
    }
  }
}

private func transfer(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
  pointer.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private let openSocket:
  @convention(c) (UnsafeMutableRawPointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?) ->
    curl_socket_t = {
      own, _, address in
      guard let transfer = transfer(own), let address else { return -1 }
      return transfer.open(address)
    }

private let closeSocket: @convention(c) (UnsafeMutableRawPointer?, curl_socket_t) -> Int32 = { own, socket in
  transfer(own)?.close(socket) ?? close(socket)
}

private let takeBody:
  @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    bytes, size, count, own in
    transfer(own)?.take(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
  }

private let takeHeader:
  @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    bytes, size, count, own in
    transfer(own)?.take(header: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
  }

private let giveBody:
  @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    room, size, count, own in
    transfer(own)?.give(UnsafeMutableRawBufferPointer(start: room, count: size * count))
      ?? Int(CURL_READFUNC_ABORT)
  }

private let listen:
  @convention(c) (
    UnsafeMutableRawPointer?, curl_infotype, UnsafeMutablePointer<CChar>?, Int, UnsafeMutableRawPointer?
  ) -> Int32 = { _, kind, bytes, count, own in
    transfer(own)?.hear(kind, UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
  }
