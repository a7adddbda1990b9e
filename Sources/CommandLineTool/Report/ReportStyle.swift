/// The page's looks: the product's tokens, light and dark, phone and wide.
let reportStyle = #"""
  :root{--bg:#F3F5F4;--surface:#FFF;--surface2:#E9EEED;--line:#D5DDDC;--ink:#0E1B1E;--ink2:#425257;--ink3:#5C6B70;
  --primary:#00656E;--onprimary:#FFF;--container:#CBECEB;--oncontainer:#00363B;--alarm:#C23B00;--alarmbox:#FFE2D5;--onalarmbox:#571A00;
  --warn:#FFEDC2;--onwarn:#5C3E00;--warnline:#B37A00;--off:#7D8A8F;--silent:#33424A;--land:#F1F0EB;--grid:#DEDBD2;--dot:#1967D2;
  --shadow:0 1px 2px #0e1b1e14,0 1px 3px #0e1b1e0f;--shadow2:0 2px 6px #0e1b1e1f,0 8px 24px #0e1b1e1f}
  @media (prefers-color-scheme:dark){:root{--bg:#0B1113;--surface:#151D20;--surface2:#212B2F;--line:#2E393D;--ink:#E7EFEF;--ink2:#AEBCBF;
  --ink3:#8F9EA2;--primary:#5AD1D6;--onprimary:#00363B;--container:#004A51;--oncontainer:#C4F3F3;--alarm:#FF8F66;--alarmbox:#6A2400;
  --onalarmbox:#FFDCCD;--warn:#4A3700;--onwarn:#FFE7AE;--warnline:#F0C255;--off:#76868B;--silent:#A9BAC2;--land:#161D20;--grid:#222C30;
  --shadow:0 0 0 1px #ffffff14;--shadow2:0 0 0 1px #ffffff14,0 8px 24px #0008}}
  *{box-sizing:border-box}
  html{color-scheme:light dark;scroll-behavior:smooth;}
  body{margin:0;background:var(--bg);color:var(--ink);font:400 1rem/1.375 -apple-system,BlinkMacSystemFont,"SF Pro Text",Roboto,Inter,system-ui,sans-serif;
  font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
  h1{font-size:2.125rem;line-height:2.5625rem;letter-spacing:-.022em;margin:0}
  h2{font-size:1.25rem;line-height:1.5625rem;font-weight:600;margin:32px 0 12px}.has-js h2{scroll-margin-top:148px}
  p{margin:0}.sub{color:var(--ink2);font-size:.9375rem;line-height:1.25rem}
  b,figcaption,time,#clock{font-weight:600}
  .icon{width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round;display:block}
  button{font:inherit;color:inherit;border:0;background:none;padding:0;cursor:pointer}
  :focus-visible{outline:3px solid var(--dot);outline-offset:2px}
  .js{display:none!important}.has-js .js{display:flex!important}.has-js .player.js{display:grid!important}
  .map{position:relative;height:52vh;min-height:min(300px,60vh);max-height:640px;background:var(--land);overflow:hidden}
  #map{width:100%;height:100%;display:block;touch-action:none;cursor:grab}#map:active{cursor:grabbing}
  #map:focus-visible{outline-offset:-4px}
  #map path,#map circle,#map rect{vector-effect:non-scaling-stroke}
  .zone .area{fill-rule:evenodd;fill:var(--silent);fill-opacity:.16;stroke:var(--silent);stroke-width:2.2;stroke-linejoin:round}
  .zone .ring{fill:var(--silent);fill-opacity:.07;stroke:var(--silent);stroke-width:1.6;stroke-dasharray:6 5}
  .zone.rang .area{fill:var(--alarm);fill-opacity:.22;stroke:var(--alarm);stroke-width:2.8}
  .zone.rang .ring{fill:var(--alarm);fill-opacity:.1;stroke:var(--alarm);stroke-width:1.8}
  .zone.off .area,.zone.off .ring{fill:none;stroke:var(--off)}
  .zone .asdrawn{fill:none;stroke:currentColor;stroke-opacity:.55;stroke-width:1.6;stroke-linecap:round;stroke-dasharray:.1 5}
  #track path{fill:none;stroke-linejoin:round;stroke-linecap:round}
  .casing{stroke:var(--land);stroke-width:7;stroke-opacity:.85}.way{stroke:var(--primary);stroke-width:3.6}
  #track .bridge{stroke:var(--primary);stroke-width:2.2;stroke-dasharray:1 6;stroke-opacity:.8}
  .zone.wound .area,.zone.wound .ring{fill-rule:nonzero}
  .label text{font-size:12.5px;font-weight:600;text-anchor:middle;dominant-baseline:central;paint-order:stroke;stroke:var(--land);stroke-width:4px;
  stroke-linejoin:round;fill:var(--silent)}.label.rang text{fill:var(--alarm)}.label.off text{fill:var(--ink3)}
  .label{pointer-events:none}.mark.hidden{display:none}
  .label.chosen text{stroke-width:6px;font-size:14px}
  .unused circle{fill:var(--surface);fill-opacity:.01}.unused path{fill:none;stroke:var(--warnline);stroke-width:2.6;stroke-linecap:round}
  .unused .halo{stroke:var(--land);stroke-width:6}
  .start circle{fill:var(--surface);stroke:var(--primary);stroke-width:3}.start .core{fill:var(--primary);stroke:none}
  .end rect{fill:var(--primary);stroke:var(--surface);stroke-width:2.5}
  .alarm.mark circle{fill:var(--alarmbox);stroke:var(--surface);stroke-width:3}
  .alarm.mark path,.loss path{fill:none;stroke:var(--onalarmbox);stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
  .alarm.mark .lead{stroke:var(--alarm);stroke-width:1.6}
  .loss circle{fill:var(--warn);stroke:var(--surface);stroke-width:2.5}.loss path{stroke:var(--onwarn)}
  .alarm.mark a:focus-visible{outline:none}.alarm.mark a:focus-visible circle{stroke:var(--dot);stroke-width:4}
  .dot circle{fill:var(--dot);stroke:#fff;stroke-width:3.5}.dot .halo{fill:var(--dot);fill-opacity:.14;stroke:none}
  .tools{position:absolute;right:12px;top:12px;flex-direction:column;gap:8px}
  .tools button{width:48px;height:48px;border-radius:50%;background:var(--surface);box-shadow:var(--shadow2);display:grid;place-items:center}
  .scale{position:absolute;right:14px;bottom:36px;flex-direction:column;align-items:flex-end;font-size:.75rem;font-weight:600;gap:3px;pointer-events:none;
  color:var(--ink);text-shadow:0 0 3px var(--land),0 0 3px var(--land),0 0 3px var(--land)}
  .scale i{display:block;height:7px;border:2px solid var(--ink);border-top:0}
  .legend{position:absolute;left:12px;top:12px;max-width:calc(100% - 96px);display:flex;flex-wrap:wrap;gap:2px 12px;font-size:.75rem;font-weight:500;
  background:var(--surface);border-radius:10px;padding:6px 10px;box-shadow:var(--shadow2);color:var(--ink2)}
  .k{display:inline-flex;align-items:center;gap:6px}.k:before{content:"";width:16px;height:0;border-top:3px solid var(--primary);border-radius:2px}
  .k.rang:before,.k.silent:before{height:10px;border:2px solid var(--alarm);border-radius:3px;background:color-mix(in srgb,var(--alarm) 22%,transparent);width:12px}
  .k.silent:before{border-color:var(--silent);background:color-mix(in srgb,var(--silent) 16%,transparent)}
  .k.ring:before{width:20px;border:0;height:2px;background:repeating-linear-gradient(90deg,var(--silent) 0 5px,transparent 5px 7.5px)}
  .k.unused:before{content:"×";border:0;width:auto;height:auto;font-size:1.05rem;line-height:.8rem;font-weight:700;color:var(--warnline)}
  main{position:relative;background:var(--bg);border-radius:28px 28px 0 0;margin-top:-24px;padding:24px 16px 40px;box-shadow:0 -2px 12px #0e1b1e14}
  header{padding:0 4px}
  .chips{list-style:none;margin:12px 0 0;padding:0;display:flex;flex-wrap:wrap;gap:8px}
  .chips li,.chip{font-size:.8125rem;line-height:1.125rem;font-weight:500;background:var(--surface2);color:var(--ink2);border-radius:10px;padding:7px 12px}
  .chips .warn{background:var(--warn);color:var(--onwarn)}
  .chip{min-height:44px;background:var(--container);color:var(--oncontainer);align-items:center;margin:12px 0 4px 60px}
  .card{background:var(--surface);border-radius:20px;box-shadow:var(--shadow);margin:0 0 12px}
  .sign{position:relative;width:48px;height:48px;flex:none;display:grid;place-items:center}
  .sign>*{grid-area:1/1}.closing{width:48px;height:48px}
  .closing circle{fill:none;stroke-width:4.5;stroke:var(--primary);stroke-linecap:round}.closing .rail{stroke-opacity:.16}
  .alarm .closing circle{stroke:var(--alarm)}.alarm .sign .icon{color:var(--alarm)}
  .alarm .closing .arc{fill:var(--alarmbox);fill-opacity:.6}
  details.alarm{scroll-margin-top:148px}
  details.alarm:target{outline:3px solid var(--alarm)}
  summary{display:flex;align-items:center;gap:12px;min-height:72px;padding:12px 16px;cursor:pointer;list-style:none;border-radius:20px}
  summary::-webkit-details-marker{display:none}
  .who{display:flex;flex-direction:column;flex:1;min-width:0}.who b{font-size:1.0625rem;line-height:1.375rem;overflow-wrap:anywhere}
  .who span,.far span{color:var(--ink2);font-size:.9375rem;line-height:1.25rem}
  .far{text-align:right;display:flex;flex-direction:column;flex:none;max-width:45%}
  dl{display:grid;grid-template-columns:auto 1fr;gap:6px 14px;margin:0;padding:2px 16px 4px 76px;font-size:.875rem;line-height:1.25rem}
  dt{color:var(--ink3)}dd{margin:0;overflow-wrap:anywhere}details[open]{padding-bottom:12px}.chip.js{margin-left:76px}
  ul.rows,ul.plain{list-style:none;padding:0 16px}.rows li{display:flex;align-items:center;gap:12px;padding:12px 0;border-bottom:1px solid var(--line)}
  .rows li:last-child{border:0}.plain{padding:12px 16px}.plain li{padding:4px 0;color:var(--ink2)}.plain b{color:var(--ink);margin-right:6px}
  .warnings{background:var(--warn)}.warnings li,.warnings b{color:var(--onwarn)}.warnings b{display:block}
  figure{padding:14px 16px 12px}figcaption{display:flex;flex-direction:column;margin-bottom:10px;overflow-wrap:anywhere}
  figcaption span{font-weight:400;color:var(--ink2);font-size:.875rem}
  .plot{position:relative;height:168px;margin:0 0 22px 46px}.plot svg{width:100%;height:100%;display:block;overflow:hidden;border-radius:6px}
  .plot path,.plot rect{vector-effect:non-scaling-stroke}
  .lane{fill:var(--surface2);fill-opacity:.55}.span{fill:var(--alarm);fill-opacity:.13}.band{fill:var(--alarm);fill-opacity:.07}.in{fill:var(--alarm);fill-opacity:.1}
  .grid{stroke:var(--line);fill:none}.edge{stroke:var(--ink3);stroke-width:1.4;fill:none}.alert{stroke:var(--alarm);stroke-width:1.6;stroke-dasharray:6 5;fill:none}
  .curve{fill:none;stroke:var(--primary);stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}.curve.gap{stroke-dasharray:1 5;stroke-width:1.8;stroke-opacity:.8}
  .curve.near{stroke:var(--alarm);stroke-width:2.8}
  .rang{fill:none}.plot .rang{stroke:var(--alarm);stroke-width:2}.plot .lost{stroke:var(--warnline);stroke-width:2;stroke-dasharray:3 3}
  .plot .now{stroke:var(--dot);stroke-width:2;visibility:hidden}.has-js .plot .now{visibility:visible}
  .plot span{position:absolute;font-size:.75rem;line-height:1rem;color:var(--ink3);white-space:nowrap}
  .plot .y{right:calc(100% + 6px);transform:translateY(-50%)}.plot .x{top:calc(100% + 4px);transform:translateX(-50%)}
  .plot .x.last{transform:translateX(-85%)}
  .player{position:sticky;top:8px;z-index:2;grid-template-columns:48px 1fr;gap:4px 14px;align-items:center;margin-top:20px;
  padding:12px 16px;background:var(--surface);border-radius:20px;box-shadow:var(--shadow2)}
  #clock{font-size:1.375rem;line-height:1.625rem;font-weight:650}
  #play{width:36px;height:36px;border-radius:50%;background:var(--primary);color:var(--onprimary);display:grid;place-items:center;position:relative}
  #play:after{content:"";position:absolute;inset:-6px}#play .icon{fill:currentColor;width:18px;height:18px}
  .player.ringing .closing circle{stroke:var(--alarm)}
  .strip{grid-column:1/-1;position:relative;height:44px}.ticks{position:absolute;inset:0 12px;height:12px}
  .ticks i{position:absolute;width:3px;height:12px;margin-left:-1.5px;border-radius:2px;background:var(--alarm)}
  #scrub{position:absolute;inset:0;top:4px;width:100%;height:40px;margin:0;appearance:none;-webkit-appearance:none;background:none}
  #scrub::-webkit-slider-runnable-track{height:8px;border-radius:4px;background:linear-gradient(var(--primary),var(--primary)) 0/var(--done,0) 100% no-repeat var(--surface2)}
  #scrub::-moz-range-track{height:8px;border-radius:4px;background:var(--surface2)}#scrub::-moz-range-progress{height:8px;border-radius:4px;background:var(--primary)}
  #scrub::-webkit-slider-thumb{-webkit-appearance:none;width:26px;height:26px;margin-top:-9px;border-radius:50%;background:var(--surface);border:4px solid var(--primary)}
  #scrub::-moz-range-thumb{width:18px;height:18px;border-radius:50%;background:var(--surface);border:4px solid var(--primary)}
  .table{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.875rem;line-height:1.25rem}
  th,td{text-align:left;vertical-align:top;padding:10px 8px;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
  th{color:var(--ink3);font-weight:500}td:nth-child(2){white-space:nowrap}th:first-child,td:first-child{padding-left:16px;white-space:nowrap}th:last-child,td:last-child{padding-right:16px;width:60%}
  tbody tr:last-child td{border:0}tr.alarm td:nth-child(2){color:var(--alarm);font-weight:600}tr.lost td:nth-child(2){font-weight:600}
  footer{margin:32px 4px 0;color:var(--ink3);font-size:.8125rem;line-height:1.125rem}
  @media (max-width:839px) and (max-height:480px){.tools{flex-direction:row}}
  @media (max-width:599px){.plot .x.odd{display:none}dl{padding-left:16px}.chip.js{margin-left:16px}}
  @media (min-width:840px){body{display:grid;grid-template-columns:minmax(420px,44%) 1fr;height:100vh;overflow:hidden}
  main{order:-1;overflow-y:auto;height:100vh;border-radius:0;margin:0;padding:28px 28px 48px;box-shadow:none}.map{height:100vh;max-height:none}
  .scale{bottom:18px}}
  @media print{.tools,.player{display:none!important}body{display:block;height:auto}main{height:auto}}
  @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
  """#
