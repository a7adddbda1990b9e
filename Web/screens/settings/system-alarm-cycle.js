// A setting for tests of the iOS app, shown by seven taps on the version: the least time between two system alarms.
import { card, row, section } from '../../parts/layout.js';
import { phone } from '../../scripts/device/phone-app.js';
import { h } from '../../scripts/page/dom.js';
import { t } from '../../scripts/words/translate.js';

/** In s, as the app allows it. */
const [shortest, longest] = [10, 600];

export const setting = async () =>
  section(
    { title: t`System alarms` },
    card(
      row({
        key: 'system-alarm-cycle',
        title: t`Seconds between two alarms`,
        detail: t`${shortest} to ${longest}. Change it only to measure whether alarms come late.`,
        low: true,
        trailing: h('input', {
          type: 'number',
          min: shortest,
          max: longest,
          value: await phone.systemAlarmCycle(),
          'aria-label': t`Seconds between two alarms`,
          onchange: async ({ target }) => {
            target.value = await phone.systemAlarmCycle(Number(target.value) || shortest);
          },
        }),
      }),
    ),
  );
