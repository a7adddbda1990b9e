import AlarmService
import Delivery
import Formats

/// The operator's own accounts elsewhere: a mail server, and Apple's push service.
extension ServerSettings {
  /// The mail server; nil if none is set.
  static func mailServer(_ values: Values) throws(Refusal) -> MailServer? {
    let others: [Key] = [
      .smtpPort, .smtpSecurity, .smtpUser, .smtpPassword, .smtpPasswordFile, .smtpSender,
    ]
    guard values.text(.smtpHost) != nil else {
      try refuseAlone(others, without: .smtpHost, values)
      return nil
    }
    var members: [(String, JSONValue)] = []
    for key in [Key.smtpHost, .smtpSecurity, .smtpUser, .smtpSender] {
      if let text = values.text(key) { members.append((field(key), .string(text))) }
    }
    if let text = values.text(.smtpPort) {
      members.append((field(.smtpPort), Int64(text).map { .integer($0) } ?? .string(text)))
    }
    if let password = try password(values) { members.append((field(.smtpPassword), .string(password))) }
    do { return try MailServer(json: Array(JSONValue.object(members).text.utf8)) } catch {
      let key = Key(rawValue: "smtp_" + error.field) ?? .smtpHost
      throw values.refusal(key, given: error.given, error.allowed)
    }
  }

  /// The name of a setting in the mail server's own errors: "smtp_host" becomes "host".
  private static func field(_ key: Key) -> String { String(key.rawValue.dropFirst("smtp_".count)) }

  private static func password(_ values: Values) throws(Refusal) -> String? {
    guard let line = try firstLine(of: .smtpPasswordFile, values) else { return values.text(.smtpPassword) }
    guard values.text(.smtpPassword) == nil else {
      throw values.refusal(
        .smtpPasswordFile, given: "a password in \(values.source(.smtpPassword)) too", "one of both")
    }
    return line
  }

  /// The password in a file: its first line.
  static func firstLine(of key: Key, _ values: Values) throws(Refusal) -> String? {
    guard let content = try values.content(key) else { return nil }
    let line = content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
      throw values.refusal(key, "a file whose first line is the password, in UTF-8")
    }
    return text
  }

  /// Apple's push service; nil if no key is set.
  static func apns(_ values: Values) throws(Refusal) -> APNsAccount? {
    guard let key = try values.content(.apnsKeyFile) else {
      try refuseAlone([.apnsKeyID, .apnsTeamID, .apnsTopic, .apnsHost], without: .apnsKeyFile, values)
      return nil
    }
    let tokens: APNsTokenSource
    do {
      tokens = try APNsTokenSource(
        pem: Secret(String(decoding: key, as: UTF8.self)), keyID: values.text(.apnsKeyID) ?? "",
        teamID: values.text(.apnsTeamID) ?? "")
    } catch {
      let key = Key(rawValue: "apns_" + error.field) ?? .apnsKeyFile
      throw values.refusal(key, error.allowed)
    }
    if let topic = values.text(.apnsTopic), !APNsDevice.isTopic(topic) {
      throw values.refusal(.apnsTopic, "the app's bundle identifier")
    }
    var host: String?
    if let text = values.text(.apnsHost) {
      do { host = try TargetURL(text, policy: TargetPolicy(allowsPrivateNetworks: true)).origin } catch {
        throw values.refusal(.apnsHost, "https:// and a host")
      }
      guard host == text, text.hasPrefix("https://") else {
        throw values.refusal(.apnsHost, "https:// and a host")
      }
    }
    return APNsAccount(tokens: tokens, topic: values.text(.apnsTopic), host: host)
  }

  /// Refuses a setting without effect, since it is a mistake.
  static func refuseAlone(
    _ keys: [Key], without missing: Key, _ values: Values
  ) throws(Refusal) {
    guard let alone = keys.first(where: { values.text($0) != nil }) else { return }
    throw Refusal(
      description: "\(values.source(alone)) is set and \(missing.rawValue) is not; both or none allowed")
  }
}
