import CommandLineSupport
import PhoneSimulator

/// A page that shows the results of `simulate`: energy against lateness, the comparisons, the use of energy,
/// and the worst cases on a map. Self-contained: it loads no other files.
struct SimulationReport {
  let run: SimulationRun
  let lines: [SimulationRun.Line]
  let scenes: SimulationScenes
  let command: (SimulationRun.Entry) -> String
  let worst: WorstCases

  /// - Parameter command: makes the command that repeats one trial.
  init(_ run: SimulationRun, scenes: SimulationScenes, command: @escaping (SimulationRun.Entry) -> String) {
    self.run = run
    self.scenes = scenes
    self.command = command
    lines = run.overall
    worst = WorstCases(run)
  }

  var html: String {
    let table = SimulationTable(run)
    let said = """
      \(counted(run.entries.count, "simulated day or track", "simulated days or tracks")), \
      \(counted(lines.count, "policy on its host", "policies on their hosts")), \
      \(counted(run.courses.count, "journey", "journeys"))
      """
    return simulationPage(
      title: "Misses and cost of each policy", said: said,
      body: """
        <h2>Energy against lateness</h2><p class="sub">Lower and further left is better; both axes are logarithmic. A \
        missed visit counts as 300 s. A line joins one policy's settings.</p>
        \(plot)
        \(compared)
        <h2 id="scene">On the map</h2>\(map)
        <h2>Worst visits</h2>\(worstVisits)
        <h2>False alarms</h2>\(falseAlarms)
        <h2>Energy by consumer</h2>\(ledger)
        <h2>All numbers</h2><ul class="notes">\(table.notes.map { "<li>\(escaped($0))</li>" }.joined())</ul>\
        <div class="scroll"><pre>\(table.tables.map { escaped($0) }.joined(separator: "\n"))</pre></div>
        """, scenes: scenes.scenes)
  }
}

/// The frame of the simulator's pages.
func simulationPage(title: String, said: String, body: String, scenes: [SimulationScene]) -> String {
  let data = scriptSafe("[\(scenes.map(\.json).joined(separator: ","))]")
  return """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline'">
    <title>\(escaped(title))</title>
    <style>\(PageText.reportStyle)\(PageText.simulationStyle)</style></head>
    <body><main class="wide"><header><h1>\(escaped(title))</h1><p class="sub">\(escaped(said))</p></header>
    \(body)
    </main>
    <script type="application/json" id="scenes">\(data)</script>
    <script>\(PageText.sceneScript)</script></body></html>

    """
}
