// Reports that the app itself sends to a server, even while the page is closed: the destination and the state.
import { phone } from '../../scripts/device/phone-app.js';
import { h } from '../../scripts/page/dom.js';
import { date } from '../../scripts/words/locale.js';
import { t } from '../../scripts/words/translate.js';
import { card, field, row, section } from '../../parts/layout.js';

/** @returns {{address: string, token: string} | undefined} the parts of a link from a server's screen for phones */
export function reportLink(text) {
  let link;
  try {
    link = new URL(text.trim());
  } catch {
    return undefined;
  }
  const token = new URLSearchParams(link.hash.slice(1)).get('report');
  if (link.protocol !== 'https:' || !token) return undefined;
  return { address: link.origin + link.pathname.replace(/\/+$/, ''), token };
}

/** @param {() => void} done called to draw again */
export async function reports(done) {
  if (!phone.reports) return undefined;
  const state = JSON.parse(await phone.reports());
  return section({ title: t`Report to a server` }, state.address ? reporting(state, done) : turningOn(state, done));
}

const reporting = (state, done) =>
  card(
    row({
      key: 'report',
      title: new URL(state.address).host,
      detail: condition(state),
      low: true,
      trailing: h(
        'button',
        {
          type: 'button',
          class: 'button small',
          onclick: async () => {
            await phone.report('', '');
            done();
          },
        },
        t`Stop reporting`,
      ),
    }),
  );

const withoutToken = () => t`The phone’s keychain refuses the token. Make a new link on the server, and paste it here.`;

function condition({ problem, sent_ms: sent, waiting }) {
  if (problem === 'keychain') return withoutToken();
  if (problem === 'refused') return t`The server refuses this phone. Make a new link there, and paste it here.`;
  if (problem === 'network') return t`The server cannot be reached. Positions wait on the phone.`;
  if (sent) return t`Last sent ${date(sent, { dateStyle: 'short', timeStyle: 'short' })}`;
  return waiting ? t`Positions wait on the phone.` : t`The next position goes there.`;
}

function turningOn({ problem }, done) {
  const input = h('input', {
    class: 'input',
    id: 'report-link',
    name: 'report',
    type: 'url',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 2000,
    placeholder: 'https://…/#report=…',
  });
  const link = field({ label: t`Link of the phone`, input });
  if (problem === 'keychain') link.say(withoutToken());
  return h(
    'form',
    {
      class: 'card padded entrance',
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const found = reportLink(input.value);
        link.say(found ? '' : t`This is not a phone’s link: it begins with https:// and contains #report=.`);
        if (!found) return;
        await phone.report(found.address, found.token);
        done();
      },
    },
    h(
      'p',
      { class: 'footnote' },
      t`Others see where you are, and the server rings too. On the server’s page, under “Background reporting”, choose
        Proximity Alarm and copy the link.`,
    ),
    link,
    h('button', { type: 'submit', class: 'button primary wide' }, t`Report`),
  );
}
