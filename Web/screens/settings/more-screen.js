// Everything outside the four other tabs.
import { phone } from '../../scripts/device/phone-app.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { card, row, section, topBar } from '../../parts/layout.js';
import { t } from '../../scripts/words/translate.js';

const groups = [
  [
    t`When an alarm rings`,
    [
      [t`Sounds`, t`Listen, choose, add your own`, 'sound', '#/sounds'],
      [t`Messages`, t`What to send, and to whom`, 'message', '#/messages'],
      [t`Reminders`, t`Lists for places`, 'check', '#/reminders'],
    ],
  ],
  [
    t`Zones and tracks`,
    [
      [t`Share`, t`Send zones as a file`, 'share', '#/share'],
      [t`Receive`, t`Add zones from a file`, 'import', '#/receive'],
      [t`Replay`, t`See where a recorded track would have rung`, 'play', '#/replay'],
    ],
  ],
  [
    t`This device`,
    [
      [t`Settings`, t`Cycle, sleep, map, theme`, 'sliders', '#/settings'],
      [t`Account`, t`The same zones everywhere`, 'shield', '#/account'],
      ...(phone ? [[t`This phone`, t`What it grants, a test, the journal`, 'phone', '#/phone']] : []),
      [t`Diagnostics`, t`What works here, to copy and send`, 'eye', '#/diagnostics'],
      [t`About`, t`Help, limits, licences`, 'info', '#/about'],
    ],
  ],
];

export function show(app, outlet) {
  outlet.append(
    h(
      'div',
      { class: 'pane' },
      topBar({ title: t`More` }),
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
