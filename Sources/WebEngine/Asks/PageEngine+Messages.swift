import AlarmEngine

extension PageEngine {
  /// Proposes a message to send (S98, S99): the messages of the zone being edited, or of all ringing zones,
  /// merged into one `text` for all `addressees` (`name`, `number`). Without any message both are empty.
  func propose(_ fields: Fields) throws(Refusal) -> PageValue {
    let proposal: MessageProposal?
    if fields.present("zone") != nil {
      let draft = try fields.draft("zone")
      let lines = draft.messages.map { MessageProposal.Line(zone: draft.name, message: $0) }
      proposal = lines.isEmpty ? nil : MessageProposal(lines: lines)
    } else {
      let timeline = try opened()
      var ringing: [Zone] = []
      for (id, state) in timeline.states {
        if case .ringing = state, let zone = timeline.watched.zone(id) { ringing.append(zone) }
      }
      proposal = MessageProposal(zones: ringing)
    }
    return .map([
      .init("text", .text(proposal?.text() ?? .empty)),
      .init(
        "addressees",
        .list(
          (proposal?.smsAddressees ?? []).map {
            .map([.init("name", .text($0.name)), .init("number", .text($0.number))])
          })),
    ])
  }
}
