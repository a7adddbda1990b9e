/// The recipient of alarms by mail. The mail server that takes them is the operator's (`MailServer`).
public struct MailRecipient: Hashable, Sendable, CustomStringConvertible {
  public let address: MailAddress

  /// `{"address":"anna@example.org"}`
  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    let text = try fields.requiredText("address", limit: 254)
    do { address = try MailAddress(text, policy: fields.policy) } catch {
      throw ConfigurationError(field: "address", given: text.excerpt(80), allowed: error.allowed)
    }
  }

  public var description: String { "mail to \(address)" }
}
