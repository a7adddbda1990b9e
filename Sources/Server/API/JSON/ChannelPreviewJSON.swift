import AlarmService
import Delivery
import Formats
import Store

/// The message that a channel would send about one past alarm.
enum ChannelPreviewJSON {
  static let schema = Schema.object([
    .needed("alarm_id", .id, ""), .needed("device_id", .id, ""),
    .needed("subject", .words(AlarmRoutes.subjects), "Subject of the alarm."),
    .needed("began_at", .time, ""),
    .needed(
      "sent", .words(ChannelPreview.Sending.allCases.map(\.rawValue)),
      "When the channel would be told: `if_unanswered` by its escalation step, once the steps before have had their time."
    ),
    .needed(
      "kept_back_by", .optional(.words(ChannelRule.Refusal.allCases.map(\.rawValue))),
      "The member of the rule that keeps it back, at least until it is unanswered; null if none does."),
    .needed("title", .text(0...1000), "The message, as a person would read it."),
    .needed("text", .text(0...100_000), ""),
  ])

  static func json(_ preview: ChannelPreview, of alarm: AlarmRecord) -> JSONValue {
    .object([
      ("alarm_id", .string(alarm.id.description)), ("device_id", .string(alarm.device.description)),
      ("subject", .string(AlarmRoutes.subject(of: alarm))), ("began_at", alarm.began.json),
      ("sent", .string(preview.sending.rawValue)),
      ("kept_back_by", preview.refusal.map { .string($0.rawValue) } ?? .null),
      ("title", .string(preview.words.title)), ("text", .string(preview.words.body)),
    ])
  }
}
