// The phone whose app shows this page: its permissions, obstacles to alarms, a test alarm, reports to a server, the journal.
import { fromBase64, grants, phone, phoneGrants } from '../../scripts/device/phone-app.js';
import { download } from '../../scripts/files/download.js';
import { fill, h, update } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { card, row, section, topBar } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { reports } from './phone-reports.js';

/** The delay of the test, long enough to turn the screen off, in s. */
const testAfter = 10;
const journalName = 'proximity.journal';
const reportName = 'proximity-report.json';

export function show(app, outlet) {
  const body = h('div', {});
  outlet.append(
    h('div', { class: 'pane' }, topBar({ title: phone ? t`This phone` : t`This device`, back: '#/more' }), body),
  );
  if (!phone) {
    fill(
      body,
      h(
        'div',
        { class: 'card empty' },
        icon('phone', { size: 40 }),
        h('p', { class: 'subhead' }, t`This page is shown by a browser. The app for phones has more to say here.`),
        h('a', { class: 'button primary', href: '#/phones' }, t`Which app for which phone`),
        h('a', { class: 'button', href: '#/diagnostics' }, t`Diagnostics`),
      ),
    );
    return undefined;
  }
  // Buttons stay the same elements while the phone's state changes, so that no press is lost.
  const state = h('div', {});
  const report = h('div', {});
  const files = h('div', {});
  body.append(state, report, files);
  let reported;
  const redraw = () => {
    reported = undefined;
    report.replaceChildren();
    return draw();
  };
  const draw = () =>
    Promise.all([phoneGrants(), reports(redraw)]).then(
      ([found, reporting]) => {
        update(state, granted(found), troubles(found.troubles), test());
        update(files, journal());
        // Keeps a link that is being typed, and the reason why it was refused.
        const link = report.querySelector('[name="report"]');
        const now = reporting?.outerHTML;
        if (link?.value || link?.hasAttribute('aria-invalid') || now === reported) return;
        reported = now;
        fill(report, reporting);
      },
      (error) => fill(state, h('p', { class: 'footnote' }, error.message)),
    );
  draw();
  // Shows new permissions as soon as the person returns.
  const visible = () => document.visibilityState === 'visible' && draw();
  app.addEventListener('change', draw);
  document.addEventListener('visibilitychange', visible);
  return () => {
    app.removeEventListener('change', draw);
    document.removeEventListener('visibilitychange', visible);
  };
}

function granted(found) {
  const names = {
    location: [t`Location`, t`Precise, while the app is used`],
    notifications: [t`Notifications`, t`To ring, and to say when it cannot`],
    alarms: [t`System alarms`, t`To ring through the silent switch and a Focus`],
    background: [t`Location all the time`, t`To go on after a restart of the phone`],
    battery: [t`No battery optimisation`, t`To watch while the phone lies still`],
    unused: [t`Stays on when unused`, t`To ring when the app was not opened for months`],
  };
  return section(
    { title: t`What it grants` },
    card(
      grants
        .filter((one) => found[one] !== undefined)
        .map((one) =>
          row({
            key: one,
            title: names[one][0],
            detail: names[one][1],
            low: true,
            trailing: found[one]
              ? h('span', { role: 'img', 'aria-label': t`Granted` }, icon('check'))
              : h('button', { type: 'button', class: 'button small', onclick: () => phone.request(one) }, t`Allow`),
          }),
        ),
      // A setting of the phone's manufacturer, which apps cannot read.
      found.maker &&
        row({
          key: 'maker',
          title: found.maker.title,
          detail: found.maker.text,
          low: true,
          trailing: settings('maker'),
        }),
    ),
  );
}

const settings = (place) =>
  h('button', { type: 'button', class: 'button small', onclick: () => phone.openSettings(place) }, t`Settings`);

const troubles = (all) =>
  all.length > 0 &&
  section(
    { title: t`Alarms may not ring` },
    card(
      all.map(({ trouble, title, text, place = 'app' }) =>
        row({
          key: trouble,
          title,
          detail: text,
          low: true,
          trailing: settings(place),
        }),
      ),
    ),
  );

const test = () =>
  section(
    { title: t`A test` },
    card(
      row({
        key: 'test',
        title: t`Ring in ${testAfter} seconds`,
        detail: t`Switch the screen off and put the phone away: it has to be heard.`,
        low: true,
        onclick: () => {
          phone.test(testAfter);
          snackbar(t`It rings in ${testAfter} seconds, also with the screen off`);
        },
      }),
    ),
  );

const journal = () =>
  section(
    { title: t`Journal` },
    card(
      row({
        key: 'journal',
        title: t`Save the journal`,
        detail: t`All positions, decisions and reasons. It contains your places.`,
        low: true,
        onclick: async () => {
          await download(fromBase64(await phone.journal()), journalName, 'application/octet-stream');
        },
      }),
      phone.firstRun &&
        row({
          key: 'report-of-phone',
          title: t`Report of this phone`,
          detail: t`The ten steps of the first run, permissions, versions and the journal. All places are moved to the Atlantic
            and turned; names and texts are left out. Times and the shape of your ways stay: somebody who knows one can
            recognise it.`,
          low: true,
          onclick: async () => {
            const text = await phone.firstRun();
            await download(new TextEncoder().encode(text), reportName, 'application/json');
          },
        }),
    ),
  );
