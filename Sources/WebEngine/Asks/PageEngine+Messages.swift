import AlarmEngine

extension PageEngine {
  /// What is proposed to be sent (S98, S99): the messages of a zone that is being edited, or of all zones that ring,
  /// merged into one `text` for all `addressees` (`name`, `number`). Without any message both are empty.
  func propose(_ fields: Fields) throws(Refusal) -> PageValue {
    let zones: [Zone]
    if fields.present("zone") != nil {
      zones = [try fields.zone("zone")]
    } else {
      let timeline = try opened()
      var ringing: Set<ZoneID> = []
      for (zone, state) in timeline.states {
        if case .ringing = state { ringing.insert(zone) }
      }
      zones = timeline.zones.filter { ringing.contains($0.id) }
    }
    let proposal = MessageProposal(zones: zones)
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
