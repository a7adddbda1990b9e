import AlarmService
import Delivery

/// Everything between a phone's report and the delivery of an alarm.
public struct AlarmParts: Sendable {
  public let engines: any EngineCommands
  /// Makes a channel of each configuration, and sends its messages.
  public let services: DeliveryServices
  /// Signs the links in messages.
  public let links: LinkSigner
  /// Stores fixes, and holds the devices' engines.
  let ingest: Ingest
  let phones: PhoneIdentification
  let answers: PhoneAnswers
  let ways: ChannelWays
  let outbox: OutboxWorker
  let dailyTests: DailyTests
  let positions: HomeAssistantPositions

  /// The address in links that are sent by mail: the one of a setting, or the one that the server listens on.
  /// It is never taken from a request, since the sender of the request controls that.
  var linkBase: String? { outbox.linkBase }
}
