// Why a zone rings or does not, now: its last day as the engine remembers it. `#/why/ZONE`.
import { fill, h } from '../scripts/dom.js';
import { styles } from '../scripts/styles.js';
import { outcome, verdict } from '../scripts/why-words.js';
import { length } from '../scripts/words.js';
import { whyContent } from '../parts/why-sheet.js';
import { card, section, topBar } from '../parts/layout.js';

const day_ms = 86_400_000;
const shown = 30;

export function show(app, outlet, { parameters: { id } }) {
  styles('journey');
  const pane = h('div', { class: 'pane' });
  outlet.append(pane);
  let said = '';
  const draw = () => {
    const zone = app.zones.get(id);
    const span = { from_ms: app.now - day_ms, to_ms: app.now };
    const { record } = app.ask('why', { zone: id, ...span });
    const records = app.ask('explain', { zone: id, ...span }).records.slice(-shown).reverse();
    const now = JSON.stringify([record, records.length, records[0]?.decided_ms]);
    if (now === said) return;
    said = now;
    fill(pane, topBar({ title: zone?.name || 'A zone', detail: 'Why it rang, or kept silent', back: '#/zones' }),
      h('div', { class: 'card padded' }, whyContent(record)),
      records.length > 0 && section({ title: 'How it was judged', count: records.length }, card(records.map((each) => h('div', { class: 'row low' },
        h('span', { class: 'grow' }, h('span', { class: 'headline' }, outcome(each)), h('span', { class: 'footnote' }, verdict(each.verdict))),
        h('span', { class: 'trailing footnote number' }, new Date(each.decided_ms).toLocaleTimeString(), each.distance_m !== undefined && [h('br'), length(each.distance_m)]))))),
      h('p', { class: 'footnote' }, 'The engine remembers this since the page was opened. Earlier days are in the History.'));
  };
  try { draw(); } catch (error) { fill(pane, topBar({ title: 'Why', back: '#/zones' }), h('p', {}, `There is no such zone: ${error.message}.`)); return undefined; }
  app.addEventListener('change', draw);
  return () => app.removeEventListener('change', draw);
}
