// The three ways to be told of an alarm with the phone in the pocket, for the phone that is in the hand: our Android app, an app
// that reports, and this page with its limits.
import { system } from '../../scripts/device/device-help.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { megabytes } from '../../scripts/words/words.js';
import { card, row, section } from '../../parts/layout.js';

const tile = (name) => h('span', { class: 'tile quiet' }, icon(name));

/** @returns {(HTMLElement & {ready?: Promise<void>})[]} */
export const pocketWays = (server) => [
  h(
    'p',
    { class: 'subhead' },
    t`No web page gets positions while it is not in view. These apps do, and report to the server you are signed in to;
      it rings by the same rules, and tells you by notification.`,
  ),
  ownApp(server),
  reporters(),
  thisPage(),
];

/** Our Android app, if the server has its file and the phone is no iPhone. */
function ownApp(server) {
  const place = h('div');
  const draw = async () => {
    if (system() === 'ios') return;
    const { apk } = await server.ask('GET', '/app').catch(() => ({ apk: null }));
    if (!apk) return;
    place.append(
      section(
        { title: t`Our app for Android` },
        h(
          'div',
          { class: 'card padded entrance' },
          h('p', { class: 'body' }, t`It decides on the phone itself, also without network.`),
          h(
            'a',
            { class: 'button primary wide', href: apk.address, download: 'proximity.apk', id: 'get-app' },
            t`Download (${megabytes(apk.bytes)})`,
          ),
          h(
            'p',
            { class: 'subhead' },
            t`Open the file and allow the installation. Then connect the app to your account.`,
          ),
          h('p', { class: 'footnote' }, t`The SHA-256 of the file, to compare with the published one:`),
          h('code', { class: 'checksum', id: 'app-checksum' }, apk.sha256.match(/.{8}/g).join(' ')),
        ),
        card(
          row({
            title: t`Connect the app`,
            detail: t`Copy a link here, and paste it in the app`,
            href: '#/pairing?app=proximity',
            leading: tile('phone'),
          }),
        ),
      ),
    );
  };
  return Object.assign(place, { ready: draw() });
}

function reporters() {
  const apps = [
    ['owntracks', 'OwnTracks', t`An app that reports where the phone is`],
    system() !== 'android' && ['overland', 'Overland', t`For iPhones; more exact while they charge`],
  ].filter(Boolean);
  return section(
    { title: t`An app that reports` },
    card(
      apps.map(([value, title, detail]) =>
        row({ title, detail, href: `#/pairing?app=${value}`, leading: tile('phone'), key: value }),
      ),
    ),
  );
}

function thisPage() {
  return section(
    { title: t`Only this page` },
    h(
      'div',
      { class: 'card padded entrance', id: 'only-page' },
      isSecureContext
        ? h(
            'p',
            { class: 'body' },
            t`The page works only while it is visible. With the screen locked, or another app in front, it gets no
        position. So it keeps the screen on while alarms are on; mind the battery.`,
          )
        : [
            h('p', { class: 'problem' }, t`Without an encrypted connection the browser gives no positions.`),
            h(
              'p',
              { class: 'body' },
              t`Open this page by an address that begins with https://. The operator of the server can set one up.`,
            ),
          ],
      h('a', { class: 'button wide', href: '#/' }, t`Use this page`),
    ),
  );
}
