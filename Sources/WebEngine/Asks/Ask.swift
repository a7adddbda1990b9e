import AlarmEngine

/// A request that the page can send to its engine.
struct Ask {
  /// The name of the request under `ask`.
  let name: Text
  let answer: (inout PageEngine, Fields) throws(Refusal) -> PageValue

  init(
    _ name: Text, _ answer: @escaping (inout PageEngine, Fields) throws(Refusal) -> PageValue
  ) {
    self.name = name
    self.answer = answer
  }

  /// All requests. Before each: the fields of the request besides `ask` (`?`: optional) -> the fields of the
  /// answer.
  static var all: [Ask] {
    [
      // -> `version` of the engine
      Ask("version") { _, _ throws(Refusal) in .map([.init("version", .text(ProductVersion.text))]) },
      // -> `settings`, each with `name`, `least`, `most`, `default`
      Ask("settings") { _, _ throws(Refusal) in PageSetting.list },
      // `device`, `zones` (forms), `armed`, `settings`, `snapshot`?, `reminders`?, `nearby`?, `now_ms` -> a
      // report
      Ask("open") { engine, fields throws(Refusal) in try engine.open(fields) },
      // `rows` (little-endian doubles, `FixRow`), `now_ms` -> a report
      Ask("fixes") { engine, fields throws(Refusal) in try engine.takeFixes(fields) },
      // `now_ms` -> a report
      Ask("advance") { engine, fields throws(Refusal) in try engine.advance(fields) },
      // `command`, `alarm`?, `until_ms`?, `now_ms` -> a report
      Ask("command") { engine, fields throws(Refusal) in try engine.apply(fields) },
      // `zones` (forms), `first`? -> `staged`: how many `replace_zones` takes over besides
      Ask("stage_zones") { engine, fields throws(Refusal) in try engine.stageZones(fields) },
      // `zones` (forms), `staged`?, `others`?, `now_ms` -> a report
      Ask("replace_zones") { engine, fields throws(Refusal) in try engine.replaceZones(fields) },
      // `by_ms` (negative: set back), `now_ms` by the new clock -> a report
      Ask("clock_jumped") { engine, fields throws(Refusal) in try engine.jumpClock(fields) },
      // `visible`, `now_ms` -> a report
      Ask("visibility") { engine, fields throws(Refusal) in try engine.changeVisibility(fields) },
      // -> `snapshot`
      Ask("snapshot") { engine, _ throws(Refusal) in try engine.snapshot() },
      // `group`?, `order`?, `search`?, `now_ms` -> `groups` of ids, `found`, `total`
      Ask("list") { engine, fields throws(Refusal) in try engine.list(fields) },
      // `ids`, `now_ms` -> `rows`
      Ask("rows") { engine, fields throws(Refusal) in try engine.rows(fields) },
      // `place`, `count`?, `now_ms` -> `rows`, nearest first
      Ask("locate") { engine, fields throws(Refusal) in try engine.locate(fields) },
      // `from`, `count`, `now_ms` -> `features`, `next`?
      Ask("map_pins") { engine, fields throws(Refusal) in try engine.mapPins(fields) },
      // `view`, `tolerance_m`, `least_m`, `from`, `count`, `now_ms` -> `features`, `next`?
      Ask("map_lines") { engine, fields throws(Refusal) in try engine.mapLines(fields) },
      // `id`, `place`? -> `zone`, `defaults`, `limits`
      Ask("fresh") { engine, fields throws(Refusal) in try engine.fresh(fields) },
      // `zone` (a form), `tolerance_m`, `coarse`? -> its lines, area and what is wrong with it
      Ask("draw") { engine, fields throws(Refusal) in try engine.draw(fields) },
      // `zone` (a form), `place` -> `index` at which a point belongs, ring after ring
      Ask("insertion") { engine, fields throws(Refusal) in try engine.insertion(fields) },
      // `place`, `north_m`, `east_m` -> `place`
      Ask("shift") { engine, fields throws(Refusal) in try engine.shift(fields) },
      // `zone` (a form), `to` -> `zone`
      Ask("reshape") { engine, fields throws(Refusal) in try engine.reshape(fields) },
      // `zone`, `from_ms`, `to_ms`, `of`? -> `records`
      Ask("explain") { engine, fields throws(Refusal) in try engine.explain(fields) },
      // `zone`, `from_ms`, `to_ms`, `of`? -> `record` that rang, else the nearest miss
      Ask("why") { engine, fields throws(Refusal) in try engine.why(fields) },
      // `zones` (forms), `rows`, `settings` -> `events`, `steps`, `stays`, `refused_rows`; kept for `of:
      // replay`
      Ask("replay") { engine, fields throws(Refusal) in try engine.replay(fields) },
      // `limit`? -> `rows`: how near the replay came to which zones
      Ask("closest") { engine, fields throws(Refusal) in try engine.closest(fields) },
      // `zones` (forms of a file), `more`? -> `rows`: new, changed, same or refused
      Ask("compare") { engine, fields throws(Refusal) in try engine.compare(fields) },
      // `kind`, `items`, `clock`, `now_ms` -> `items`, `clock`: edits noted in sync records;
      // `refused_items`
      Ask("stamp") { engine, fields throws(Refusal) in try engine.stamp(fields) },
      // `kind`, `items`, `clock` -> `items`, `clock`: others' edits taken over
      Ask("merge") { engine, fields throws(Refusal) in try engine.merge(fields) },
      // `items`, `clock`, `now_ms` -> `items`, `clock`: edits of a clock that ran ahead
      Ask("restamp") { engine, fields throws(Refusal) in try engine.restamp(fields) },
      // `bytes`, `more`? -> `zones` (forms), `issues`
      Ask("read_pad") { engine, fields throws(Refusal) in try engine.readPAD(fields) },
      // `zones` (forms) -> `bytes`, `changed`, `refused_zones`
      Ask("write_pad") { engine, fields throws(Refusal) in try engine.writePAD(fields) },
      // `command`, `id`, `reminder`?, `until_ms`?, `index`?, `now_ms` -> a report
      Ask("remind") { engine, fields throws(Refusal) in try engine.remind(fields) },
      // `choice`, `offsets`, `now_ms` -> `until_ms`
      Ask("snooze_until") { engine, fields throws(Refusal) in try engine.snoozeUntil(fields) },
      // `zones`?, `reminders`?, `settings`?: what is about to be kept -> `zones`, `reminders`: how many;
      // one that is none refuses the request
      Ask("check") { engine, fields throws(Refusal) in try engine.check(fields) },
      // `zone` (a form)?; without, all that ring -> `text`, `addressees`
      Ask("propose") { engine, fields throws(Refusal) in try engine.propose(fields) },
    ]
  }
}
