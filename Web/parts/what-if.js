// Shows the alarms that a larger or smaller zone would have given: the engine replays the recorded positions.
import { timed } from '../scripts/device/local-time.js';
import { journalOf } from '../scripts/history/journal.js';
import { rows } from '../scripts/engine/rows.js';
import { fill, h } from '../scripts/page/dom.js';
import { painted } from '../scripts/page/painted.js';
import { plural, t } from '../scripts/words/translate.js';
import { clock, length, listed } from '../scripts/words/words.js';
import { distance } from '../screens/zones/zone-fields.js';
import { section } from './layout.js';

/** The most alarms listed one by one. */
const told = 3;

/**
 * Stays empty if there are no positions of that time.
 * @param {{app, zone: object, from: number, to: number}} what `zone` is a form; `from` and `to` in ms since 1970
 */
export function whatIf({ app, zone, from, to }) {
  const isCircle = zone.places?.length === 1 && zone.outline === 'locations';
  const key = isCircle ? 'size_m' : 'alert_distance_m';
  const { limits, defaults } = app.ask('fresh', { id: zone.id });
  const now = zone[key] ?? (isCircle ? defaults.size_m : 0);
  const said = h('p', { class: 'body', id: 'what-if', role: 'status' });
  const element = h('div', {});
  const begin = async () => {
    const fixes = await journalOf(app).fixes(from, to);
    if (!fixes.length) return;
    const track = rows(fixes);
    const rings = (value) =>
      app
        .ask('replay', { zones: [timed({ ...zone, [key]: value }, app.now)], rows: track, settings: app.settings })
        .events.filter(({ event }) => event === 'alarm')
        .map(({ decided_ms: at }) => at);
    const before = rings(now);
    const tell = async (value) => {
      await painted();
      if (value === now) {
        said.textContent = asItIs(before);
        return;
      }
      const size = length(value);
      const what = isCircle ? t`With a radius of ${size}:` : t`With an alert distance of ${size}:`;
      said.textContent = [what, times(rings(value)), asItIs(before)].join(' ');
    };
    fill(
      element,
      section(
        { title: t`What if` },
        h(
          'div',
          { class: 'card padded' },
          distance({
            label: isCircle ? t`Radius` : t`Alert distance`,
            value: now,
            zero: isCircle ? undefined : t`At the edge`,
            limits: limits[key],
            oninput: () => {},
            onchange: (value) => tell(value ?? now),
          }),
          said,
        ),
      ),
    );
    await tell(now);
  };
  begin().catch((error) => {
    fill(element, h('p', { class: 'note warn' }, t`The positions could not be read: ${error.message}`));
  });
  return element;
}

const asItIs = (rings) => [t`As it is:`, times(rings)].join(' ');

function times(rings) {
  if (!rings.length) return t`it would not have rung.`;
  const shown = rings.slice(0, told).map(clock);
  const n = rings.length;
  if (n > shown.length)
    return plural(n, {
      one: t`it would have rung once, at ${shown[0]}.`,
      other: t`it would have rung ${n} times, first at ${shown[0]}.`,
    });
  return t`it would have rung at ${listed(shown)}.`;
}
