// About, help, and the parts that both share (S10, S26, S27).
import { row, topBar } from '../../parts/layout.js';
import { phone } from '../../scripts/device/phone-app.js';
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { version } from '../../scripts/version.js';
import { topics } from './help-topics.js';
import { t } from '../../scripts/words/translate.js';

await styles('settings');

/** The number of taps on the version that show a setting for tests of the iOS app. */
const hiddenBehind = 7;

export function show(app, outlet, { parameters }) {
  const topic = topics.find(({ name }) => name === parameters.page);
  outlet.append(h('div', { class: 'pane about-page' }, topic ? details(topic) : overview()));
}

function overview() {
  return [
    topBar({ title: t`About`, back: '#/more' }),
    head(),
    h(
      'p',
      { class: 'card note' },
      icon('info'),
      h(
        'span',
        {},
        t`Use at your own risk: whether an alarm comes depends on settings of the device that are outside this program’s
          control.`,
        ' ',
        h('a', { href: '#/about/disclaimer' }, t`More`),
      ),
    ),
    h(
      'div',
      { class: 'card' },
      topics.map(({ name, title, short, picture }) =>
        row({
          title,
          detail: short,
          href: `#/about/${name}`,
          leading: h('span', { class: 'tile quiet' }, icon(picture)),
        }),
      ),
      row({
        title: t`Diagnostics`,
        detail: t`Versions, permissions, storage, server.`,
        href: '#/diagnostics',
        leading: h('span', { class: 'tile quiet' }, icon('eye')),
      }),
    ),
  ];
}

function head() {
  const number = h('p', { class: 'footnote', id: 'version' }, t`Version ${version}`);
  const element = h(
    'div',
    { class: 'about-head' },
    h('img', { src: 'icons/icon.svg', width: 72, height: 72, alt: '' }),
    h(
      'div',
      {},
      h('p', { class: 'title-2' }, 'Proximity Alarm'),
      h('p', { class: 'subhead' }, t`An alarm clock whose trigger is a place.`),
      number,
    ),
  );
  let left = hiddenBehind;
  number.addEventListener('click', async () => {
    if (!phone?.systemAlarmCycle || --left !== 0) return;
    const { setting } = await import('./system-alarm-cycle.js');
    element.after(await setting());
  });
  return element;
}

function details({ title, text, link }) {
  return [
    topBar({ title, back: '#/about' }),
    h(
      'article',
      { class: 'prose' },
      text.map((part) => paragraph(typeof part === 'function' ? part() : part)),
    ),
    link && h('a', { class: 'button', href: link.href }, link.label),
  ];
}

/** A list, a heading if it is a few words without a full stop, or else a paragraph. */
function paragraph(part) {
  if (Array.isArray(part))
    return h(
      'ul',
      {},
      part.map((line) => h('li', {}, line)),
    );
  return part.length < 40 && !/[.:!。：！]$/.test(part) ? h('h2', { class: 'title-3' }, part) : h('p', {}, part);
}
