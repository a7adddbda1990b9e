/// What the simulator's pages add to the looks of the report.
let simulationStyle = #"""
  body{display:block;height:auto;overflow:auto}
  main.wide{box-sizing:border-box;width:100%;max-width:1080px;height:auto;margin:0 auto;padding:24px 16px 64px;overflow:visible;background:none;box-shadow:none}
  .pareto{width:100%;height:auto;background:var(--surface);border-radius:12px;display:block;margin-top:12px}.pareto.narrow{display:none}
  .pareto text{font-size:12px;fill:var(--ink2)}.pareto .tick{stroke:var(--line)}.pareto .ours{font-weight:700;font-size:14px;fill:var(--ink)}
  .pareto .curve{fill:none;stroke-width:1.5;stroke-opacity:.6;stroke-dasharray:none}
  .pareto .number{fill:var(--bg);font-size:10px;font-weight:700;text-anchor:middle}.pareto circle{stroke:var(--surface);stroke-width:1}
  .h1 circle{fill:var(--primary)}.h2 circle{fill:var(--alarm)}.h0 circle{fill:var(--off)}
  .curve.h1{stroke:var(--primary)}.curve.h2{stroke:var(--alarm)}.curve.h0{stroke:var(--off)}
  .dots{list-style:none;padding:0;margin:8px 0;display:grid;gap:8px 24px;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr))}
  .dots li{display:grid;grid-template-columns:28px minmax(0,1fr);gap:8px;font-size:.875rem}.dots div{display:grid;grid-template-columns:minmax(0,1fr) max-content;gap:0 8px}
  .dots b{border-radius:50%;width:24px;height:24px;display:grid;place-items:center;font-size:.6875rem;color:var(--bg);background:var(--off)}
  .dots .h1 b{background:var(--primary)}.dots .h2 b{background:var(--alarm)}
  details.all{border:0;background:none;padding:0}details.all summary{min-height:40px;padding:8px 0;display:list-item;list-style:revert;color:var(--ink2)}
  .keys{display:flex;flex-wrap:wrap;gap:4px 16px;margin:12px 0;font-size:.875rem;color:var(--ink2)}
  .keys i{display:inline-block;width:12px;height:12px;border-radius:3px;margin-right:6px;vertical-align:-1px}.keys i.dot{border-radius:50%}
  i.dot.h1{background:var(--primary)}i.dot.h2{background:var(--alarm)}i.dot.h0{background:var(--off)}i.dot.fix{background:var(--ink3)}
  i.dot.zone{background:var(--alarm);opacity:.5}i.dot.phone{background:var(--dot)}
  .keys i.line{height:0;width:18px;border-top:2.5px solid var(--ink3);vertical-align:4px;border-radius:0}.keys i.fence{border-top:2.5px dashed var(--primary)}
  .bars{display:grid;grid-template-columns:1fr max-content;gap:2px 12px;font-size:.875rem}.bars .bar{grid-column:1/-1;display:flex;height:14px;background:var(--surface2);border-radius:4px;overflow:hidden;margin-bottom:8px}
  .bars .bar i{height:100%}
  .scroll{overflow-x:auto;max-width:100%}pre,code{font:.8125rem/1.4 ui-monospace,monospace;white-space:pre}td,th{text-align:left;padding:4px 16px 4px 0!important;white-space:nowrap;width:auto!important}
  td.good{color:var(--primary);font-weight:600}
  .cases{padding:0;list-style:none;display:grid;gap:10px;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr))}
  .cases li{background:var(--surface);border-radius:12px;padding:12px 16px;display:flex;flex-direction:column;gap:2px;min-width:0;box-shadow:var(--shadow)}
  .cases a{color:var(--primary);align-self:flex-start;padding:6px 0}.cases details{border:0;background:none;padding:0}
  .cases summary{min-height:0;padding:4px 0;color:var(--ink2);font-size:.875rem;display:list-item;list-style:revert}
  .notes{padding-left:20px;color:var(--ink2);font-size:.875rem}
  .scene canvas{display:block;width:100%}.scene #map{height:min(58vh,520px);background:var(--land);border-radius:12px;margin-top:8px}
  .scene #strip{height:26px;margin-top:8px}.scene input[type=range]{width:100%;margin:0;height:32px;accent-color:var(--primary)}
  .scene select{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:8px;max-width:100%;min-height:40px}
  .scene #which{width:100%}.controls{display:flex;flex-wrap:wrap;gap:10px 16px;align-items:center}
  .controls button{background:var(--primary);color:var(--onprimary);border-radius:20px;padding:9px 22px;min-width:92px;font-weight:600}
  #now{padding:12px 0;grid-template-columns:max-content 1fr}
  .tornado{width:100%;height:auto;background:var(--surface);border-radius:12px;display:block}.tornado text{font-size:12px;fill:var(--ink2)}
  .tornado .low{fill:var(--primary)}.tornado .high{fill:var(--alarm)}.tornado .zero{stroke:var(--ink3)}
  .torn{display:grid;grid-template-columns:minmax(0,1fr) max-content;gap:2px 12px;font-size:.875rem}
  .torn .bar{grid-column:1/-1;position:relative;height:14px;background:var(--surface2);border-radius:4px;margin-bottom:8px}
  .torn .bar i{position:absolute;top:0;height:100%;min-width:2px}.torn .low{background:var(--primary)}.torn .high{background:var(--alarm)}
  .torn .bar b{position:absolute;top:-2px;bottom:-2px;width:2px;background:var(--ink)}
  @media (max-width:699px){.pareto.wide{display:none}.pareto.narrow{display:block}h1{font-size:1.625rem;line-height:2rem}}
  """#
