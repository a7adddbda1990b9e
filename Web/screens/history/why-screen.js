// The reason why a zone rings or does not ring now, from the last day in the engine's memory. `#/why/ZONE`.
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { t } from '../../scripts/words/translate.js';
import { joined } from '../../scripts/words/why-words.js';
import { clockWithSeconds, length } from '../../scripts/words/words.js';
import { card, section, topBar } from '../../parts/layout.js';
import { whatIf } from '../../parts/what-if.js';
import { whyContent } from '../../parts/why-sheet.js';

const day_ms = 86_400_000;
const shown = 30;

export function show(app, outlet, { parameters: { id } }) {
  styles('journey', 'editor');
  const pane = h('div', { class: 'pane' });
  outlet.append(pane);
  if (!/^[0-9a-f]{16}$/i.test(id) || !app.zoneOf(id.toLowerCase())) {
    fill(pane, unknown(id));
    return undefined;
  }
  let said = '';
  // Covers the day before the screen was opened. Later positions do not change it, so that nothing moves while a person taps.
  const changed = whatIf({ app, zone: app.zoneOf(id), from: app.now - day_ms, to: app.now });
  const draw = () => {
    const zone = app.zoneOf(id);
    const span = { from_ms: app.now - day_ms, to_ms: app.now };
    const { record } = app.ask('why', { zone: id, ...span });
    const records = joined(app.ask('explain', { zone: id, ...span }).records)
      .slice(-shown)
      .reverse();
    const now = JSON.stringify([record, records.length, records[0]]);
    if (now === said) return;
    said = now;
    fill(
      pane,
      topBar({ title: zone?.name || t`A zone`, detail: t`Why it rang, or kept silent`, back: '#/zones' }),
      h('div', { class: 'card padded' }, whyContent(record)),
      changed,
      records.length > 0 &&
        section(
          { title: t`How it was judged`, count: records.length },
          card(
            records.map((each) =>
              h(
                'div',
                { class: 'row low' },
                h(
                  'span',
                  { class: 'grow' },
                  h('span', { class: 'headline' }, each.outcome),
                  h('span', { class: 'footnote' }, each.verdict),
                  each.times > 1 &&
                    h('span', { class: 'footnote' }, t`${each.times} times, since ${clockWithSeconds(each.since)}`),
                ),
                h(
                  'span',
                  { class: 'trailing footnote number' },
                  clockWithSeconds(each.decided_ms),
                  each.distance_m !== undefined && [h('br'), length(each.distance_m)],
                ),
              ),
            ),
          ),
        ),
      h(
        'p',
        { class: 'footnote' },
        t`The engine remembers this since the page was opened. Earlier days are in the History.`,
      ),
    );
  };
  draw();
  app.addEventListener('change', draw);
  return () => app.removeEventListener('change', draw);
}

const unknown = (id) => [
  topBar({ title: t`Why`, back: '#/zones' }),
  h(
    'div',
    { class: 'card empty' },
    icon('search', { size: 40 }),
    h('p', { class: 'headline' }, t`This zone is not here`),
    h(
      'p',
      { class: 'subhead' },
      /^[0-9a-f]{16}$/i.test(id)
        ? t`It was deleted, or it is on another device.`
        : t`“${id.slice(0, 40)}” is no zone’s address: that has 16 digits from 0 to f.`,
    ),
    h('a', { class: 'button', href: '#/zones' }, t`All zones`),
  ),
];
