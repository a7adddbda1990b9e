/// Mail, with the zone attached. Mail cannot be withdrawn; repeats of one alarm are replies to its first
/// mail.
public struct MailChannel: DeliveryChannel {
  package let recipient: MailRecipient
  package let client: SMTPClient

  public init(recipient: MailRecipient, client: SMTPClient) {
    self.recipient = recipient
    self.client = client
  }

  public var description: String { recipient.description }

  public func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    await client.send(MailMessage(notice, to: recipient.address))
  }
}
