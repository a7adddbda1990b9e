// The choice of an app for each phone, and three steps to set it up, short and with pictures. For all details see
// docs/phones.md.
import { h } from '../../scripts/page/dom.js';
import { styles } from '../../scripts/page/styles.js';
import { card, row, section, topBar } from '../../parts/layout.js';
import { t } from '../../scripts/words/translate.js';

export function show(app, outlet) {
  styles('story');
  outlet.append(
    h(
      'div',
      { class: 'pane phones' },
      topBar({ title: t`Which app for which phone`, back: '#/pairing' }),
      h(
        'p',
        { class: 'subhead' },
        t`Something on the phone has to report where it is while the screen is off. An app that only reports needs the
          network at the moment of the alarm.`,
      ),
      section({ title: t`Take` }, card(apps().map(([title, detail]) => row({ title, detail, low: true })))),
      section({ title: t`Three steps` }, ...steps().map(step)),
      section(
        { title: t`So that it stays so` },
        step([t`The battery saver is off for this app`, 'battery', batteries()]),
      ),
    ),
  );
}

const apps = () => [
  [t`Android`, t`OwnTracks, or the app of this project: it decides on the phone, also without network`],
  [t`iPhone`, t`OwnTracks or Overland; charged, Overland is more exact`],
  [t`A car or a tracker`, t`Traccar Client`],
];

const steps = () => [
  [
    t`Install the app, and scan the code`,
    'pair',
    t`Give the phone a name under “Background reporting”, and choose the app. With the page open on the
      phone itself, tap the link instead.`,
  ],
  [
    t`Allow location always, and precise`,
    'allow',
    t`“While using” ends with the screen. Android asks twice, iPhones ask again after some days.`,
  ],
  [
    t`Walk out of a zone and in again`,
    'walk',
    t`History says when the phone was there, when the server heard of it, and what it decided.`,
  ],
];

const batteries = () =>
  t`Android: battery “unrestricted” for this app, and no battery saver. iPhone: Background App Refresh on, Low
    Power Mode off, and do not swipe the app away.`;

const step = ([title, picture, text]) =>
  h(
    'div',
    { class: 'card padded phone-step' },
    h('img', { src: `pictures/phone-${picture}.svg`, width: 320, height: 200, alt: '' }),
    h('h3', { class: 'headline' }, title),
    h('p', { class: 'subhead' }, text),
  );
