import AlarmEngine
import CommandLineSupport
import Geometry
import PhoneSimulator

/// The comparisons, the ledger, and the worst cases.
extension SimulationReport {
  private static let mostListed = 25

  var compared: String {
    let all = PolicyComparison.all(in: run)
    guard !all.isEmpty else { return "" }
    let rows = all.map { one -> String in
      let decimals = one.metric == .recall ? 3 : 0
      let verdict = one.isShown ? "better" : one.corrected < 0.05 ? "worse" : "no clear difference"
      return """
        <tr><td>\(escaped("\(one.number) \(one.rival)"))</td><td>\(one.host)\
        \(run.setting.profiles.count > 1 ? " " + escaped(one.profile) : "")</td>\
        <td>\(one.metric == .recall ? "recall" : "J/day")</td>\
        <td>\(SimulationTable.number(one.difference.value, decimals))</td>\
        <td>\(SimulationTable.range(one.difference.interval, decimals))</td>\
        <td>\(SimulationTable.number(one.corrected, 4))</td><td class="\(one.isShown ? "good" : "")">\(verdict)</td></tr>
        """
    }.joined()
    return """
      <h2>The certified policy against others</h2><p class="sub">Same journeys, same seeds. Differences with 95 % \
      intervals over persons or tracks; p values are corrected for the number of comparisons (Holm).</p>\
      <div class="scroll"><table><tr><th>against</th><th>host</th><th>metric</th><th>difference</th><th>95 %</th>\
      <th>p</th><th></th></tr>\(rows)</table></div>
      """
  }

  /// Colours that remain distinct with red-green colour blindness.
  private static let colours: [(component: EnergyLedger.Component, name: String, colour: String)] = [
    (.session, "sessions", "#0072B2"), (.satellites, "satellites", "#D55E00"),
    (.satelliteTail, "after satellites", "#E69F00"), (.networkFix, "Wi-Fi and cell", "#56B4E9"),
    (.lookup, "lookups", "#999999"), (.wake, "waking", "#CC79A7"), (.processor, "processor", "#F0E442"),
    (.monitoring, "fences", "#009E73"), (.motion, "motion", "#8C6BB1"), (.cellular, "cellular", "#5B5B5B"),
    (.alert, "alerts", "#B15928"),
  ]

  var ledger: String {
    let keys = Self.colours.map { "<span><i style=\"background:\($0.colour)\"></i>\($0.name)</span>" }
      .joined()
    let rows = lines.sorted { $0.metrics.joulesPerDay < $1.metrics.joulesPerDay }.map { line -> String in
      let total = max(line.metrics.joulesPerDay, 1e-9)
      let parts = Self.colours.map { part -> String in
        let joules = line.metrics.components.first { $0.component == part.component }?.joulesPerDay ?? 0
        guard joules > 0 else { return "" }
        return """
          <i style="width:\(drawn(100 * joules / total))%;background:\(part.colour)" \
          title="\(part.name): \(SimulationTable.number(joules, 0)) J/day"></i>
          """
      }.joined()
      return """
        <span>\(escaped(words(for: line)))</span><span>\(SimulationTable.number(line.metrics.joulesPerDay, 0)) J/day\
        </span><span class="bar">\(parts)</span>
        """
    }.joined()
    return """
      <p class="sub">Each bar is one policy's energy per day, split by consumer.</p>\
      <div class="keys">\(keys)</div><div class="bars">\(rows)</div>
      """
  }

  var map: String {
    guard !scenes.scenes.isEmpty else { return "<p>Nothing to show.</p>" }
    let choices = scenes.scenes.enumerated().map {
      "<option value=\"\($0.offset)\">\(escaped($0.element.title))</option>"
    }.joined()
    return """
      <p class="noscript">The map needs this page's script.</p><div class="scene" hidden>
      <select id="which" aria-label="Case">\(choices)</select>
      <canvas id="map" role="img" aria-label="The phone's path, its fixes, fences and zones"></canvas>
      <canvas id="strip" aria-hidden="true"></canvas>
      <input id="time" type="range" min="0" step="1" value="0" aria-label="Time">
      <div class="controls"><button id="run" type="button" aria-label="Play">Play</button>
      <label>Speed <select id="speed"><option value="1">1 ×</option><option value="10">10 ×</option>\
      <option value="30" selected>30 ×</option><option value="120">120 ×</option></select></label>
      <label>View <select id="view"><option value="0">whole path</option><option value="2000">2 km</option>\
      <option value="500" selected>500 m</option></select></label></div>
      <dl id="now"></dl>
      <p class="keys"><span><i class="line way"></i>the path</span><span><i class="dot fix"></i>fixes and their accuracy</span>\
      <span><i class="dot zone"></i>zones</span><span><i class="line fence"></i>fences</span>\
      <span><i class="dot phone"></i>the phone</span></p>
      <div class="scroll"><code id="alone"></code></div></div>
      """
  }

  var worstVisits: String {
    guard !worst.visits.isEmpty else { return "<p>No visit was missed or alarmed late.</p>" }
    let missed = worst.visits.count { !$0.outcome.isCaught }
    let rows = worst.listedVisits.prefix(Self.mostListed).map { item -> String in
      let entry = run.entries[item.entry]
      let how = item.outcome.isCaught ? "\(fixedPoint(item.late, decimals: 1)) s late" : "missed"
      return row(
        how, entry, "entry \(timeWords(item.outcome.visit.entry))",
        scene: scenes.place(entry: item.entry, visit: item.outcome.visit))
    }.joined()
    return """
      <p class="sub">\(missed) missed, \(worst.visits.count - missed) alarmed after the entry, over all policies; a selection of each, the worst first.</p>\
      <ol class="cases">\(rows)</ol>
      """
  }

  /// The false alarms farthest from their zones.
  var falseAlarms: String {
    guard !worst.falseAlarms.isEmpty else { return "<p>None.</p>" }
    let possible = worst.falseAlarms.count { $0.alarm.cause == .possible }
    let rows = worst.listedFalseAlarms.prefix(Self.mostListed).map { item -> String in
      let alarm = item.alarm
      let stated = alarm.accuracy.map { ", stated accuracy \(lengthWords(.metres($0)))" } ?? ""
      return row(
        "\(lengthWords(.metres(max(0, alarm.distance)))) off", run.entries[item.entry],
        "\(timeWords(alarm.raisedAt)), \(CommandLineSupport.words(alarm.cause))\(stated)",
        scene: scenes.place(entry: item.entry, alarm: alarm))
    }.joined()
    return """
      <p class="sub">\(counted(worst.falseAlarms.count, "alarm", "alarms")) outside a visit, \(possible) of them only \
      marked as possible; the farthest first.</p><ol class="cases">\(rows)</ol>
      """
  }

  private func row(_ how: String, _ entry: SimulationRun.Entry, _ what: String, scene: Int?) -> String {
    let link = scene.map { "<a href=\"#scene-\($0)\">on the map</a>" } ?? ""
    let name = run.courses[entry.course].course.name
    return """
      <li><b>\(escaped(how))</b><span>\(escaped(name)), \(escaped(entry.subject.policy)) on \(entry.subject.host)</span>\
      <span class="sub">\(escaped(what))</span>\(link)<details><summary>command to repeat it</summary>\
      <div class="scroll"><code>\(escaped(command(entry)))</code></div></details></li>
      """
  }
}
