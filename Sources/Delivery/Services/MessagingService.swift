import Formats
import Store

/// A messaging service that takes each message as one HTTP request. The services differ only in that request.
public enum MessagingService: Hashable, Sendable, CustomStringConvertible {
  case gotify(GotifyApplication)
  case telegram(TelegramChat)
  case pushover(PushoverUser)
  case matrix(MatrixRoom)
  case apprise(AppriseKey)
  case gateway(MessageGateway)

  /// - Returns: nil for a kind that is no messaging service.
  init?(kind: ChannelKind, _ fields: ConfigurationFields) throws(ConfigurationError) {
    switch kind {
    case .gotify: self = .gotify(try GotifyApplication(fields))
    case .telegram: self = .telegram(try TelegramChat(fields))
    case .pushover: self = .pushover(try PushoverUser(fields))
    case .matrix: self = .matrix(try MatrixRoom(fields))
    case .apprise: self = .apprise(try AppriseKey(fields))
    case .gateway: self = .gateway(try MessageGateway(fields))
    case .webPush, .ntfy, .webhook, .mail, .ownTracks, .homeAssistant, .apns, .mqtt: return nil
    }
  }

  var kind: ChannelKind {
    switch self {
    case .gotify: .gotify
    case .telegram: .telegram
    case .pushover: .pushover
    case .matrix: .matrix
    case .apprise: .apprise
    case .gateway: .gateway
    }
  }

  private var endpoint: any ServiceEndpoint {
    switch self {
    case .gotify(let application): application
    case .telegram(let chat): chat
    case .pushover(let user): user
    case .matrix(let room): room
    case .apprise(let key): key
    case .gateway(let gateway): gateway
    }
  }

  public var description: String { endpoint.description }

  package func request(telling notice: AlarmNotice) -> ServiceRequest { endpoint.request(telling: notice) }
  package func request(withdrawing withdrawal: AlarmWithdrawal) -> ServiceRequest? {
    endpoint.request(withdrawing: withdrawal)
  }
  package func outcome(of answer: DeliveryHTTP.Answer) -> DeliveryOutcome { endpoint.outcome(of: answer) }
}

/// An address at a messaging service, and its requests.
protocol ServiceEndpoint: CustomStringConvertible {
  func request(telling notice: AlarmNotice) -> ServiceRequest
  /// Returns nil if a message cannot be withdrawn.
  func request(withdrawing withdrawal: AlarmWithdrawal) -> ServiceRequest?
  /// The member of an answer that holds the service's own id of the message; nil if there is none.
  var receiptMember: String? { get }
  func outcome(of answer: DeliveryHTTP.Answer) -> DeliveryOutcome
}

extension ServiceEndpoint {
  func request(withdrawing withdrawal: AlarmWithdrawal) -> ServiceRequest? { nil }
  var receiptMember: String? { nil }

  func outcome(of answer: DeliveryHTTP.Answer) -> DeliveryOutcome { standardOutcome(of: answer) }

  /// Returns the outcome of an answer. A service answers 404 for a wrong address or key, which the channel's
  /// owner can correct, so it never counts as gone.
  func standardOutcome(of answer: DeliveryHTTP.Answer) -> DeliveryOutcome {
    switch answer.status {
    case 404, 410: .refused(reason: .status(answer.status, answer.text))
    default: answer.outcome(receipt: receipt(in: answer.body), now: .now)
    }
  }

  private func receipt(in body: [UInt8]) -> String {
    guard let receiptMember, let value = (try? JSONValue.parse(body))?[receiptMember] else { return "" }
    return value.string ?? (value.double == nil ? "" : value.excerpt)
  }
}

extension NoticeWords {
  /// Returns title, text and the link to open, for services that show only text.
  func lines(with notice: AlarmNotice) -> String {
    [title, body, notice.links.open ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
