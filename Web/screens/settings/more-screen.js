// Everything that is not one of the four other places.
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { card, row, section, topBar } from '../../parts/layout.js';

const groups = [
  [
    'When an alarm rings',
    [
      ['Sounds', 'Listen, choose, add your own', 'sound', '#/sounds'],
      ['Messages', 'What to send, and to whom', 'message', '#/messages'],
      ['Reminders', 'Lists for places', 'check', '#/reminders'],
    ],
  ],
  [
    'Zones and tracks',
    [
      ['Share', 'Send zones as a file', 'share', '#/share'],
      ['Receive', 'Add zones from a file', 'import', '#/receive'],
      ['Shared zones', 'Follow those of others, publish yours', 'area', '#/collections'],
      ['Replay', 'What would a track have rung?', 'play', '#/replay'],
    ],
  ],
  [
    'This device',
    [
      ['Settings', 'Cycle, sleep, map, theme', 'sliders', '#/settings'],
      ['Account', 'The same zones everywhere', 'shield', '#/account'],
      ['In the background', 'Let a phone app report', 'position', '#/pairing'],
      ['Diagnostics', 'What works here, to copy and send', 'eye', '#/diagnostics'],
      ['About', 'Help, limits, licences', 'info', '#/about'],
    ],
  ],
];

export function show(app, outlet) {
  outlet.append(
    h(
      'div',
      { class: 'pane' },
      topBar({ title: 'More' }),
      groups.map(([title, rows]) =>
        section(
          { title },
          card(
            rows.map(([name, detail, picture, href]) =>
              row({ title: name, detail, href, leading: h('span', { class: 'tile quiet' }, icon(picture)) }),
            ),
          ),
        ),
      ),
    ),
  );
}
