// The state of all functions on this device, to read and to copy for support.
import { card, section, topBar } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { asText, diagnose } from '../../scripts/device/diagnostics.js';
import { checkEngine } from '../../scripts/engine/self-check.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { t } from '../../scripts/words/translate.js';

await styles('settings');

const refresh_ms = 5_000;

export function show(app, outlet) {
  const list = h('div', { 'aria-busy': 'true' });
  let sections = [];
  let gone = false;
  let check;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(asText(sections));
      snackbar(t`The diagnostics are copied`);
    } catch {
      snackbar(t`The browser does not let the text be copied.`);
    }
  };
  const look = async () => {
    sections = await diagnose(app, check);
    if (gone) return;
    list.removeAttribute('aria-busy');
    fill(
      list,
      sections.map(({ title, findings }) => section({ title }, card(findings.map(line)))),
    );
  };
  outlet.append(
    h(
      'div',
      { class: 'pane diagnostics-page' },
      topBar({ title: t`Diagnostics`, back: '#/more' }),
      h(
        'p',
        { class: 'subhead lead' },
        t`Marked lines keep alarms from working. The copy has no positions, no zones and no names in it.`,
      ),
      h(
        'div',
        { class: 'choices' },
        h(
          'button',
          { type: 'button', class: 'button primary', id: 'copy-diagnostics', onclick: copy },
          icon('share', { size: 20 }),
          t`Copy as text`,
        ),
        h('a', { class: 'button', href: '#/about/permissions' }, t`When you hear nothing`),
      ),
      list,
    ),
  );
  const failed = (error) => {
    console.error(error);
    if (!gone) fill(list, h('p', { class: 'problem', role: 'alert' }, error.message));
  };
  look().catch(failed);
  checkEngine()
    .catch((error) => ({ problem: error.message }))
    .then((found) => {
      check = found;
      return look();
    })
    .catch(failed);
  const timer = setInterval(() => look().catch(failed), refresh_ms);
  return () => {
    gone = true;
    clearInterval(timer);
  };
}

const line = ({ name, text, good }) =>
  h(
    'div',
    { class: `row low diagnosis${good === false ? ' bad' : ''}`, 'data-key': name },
    h('span', { class: 'grow' }, h('span', { class: 'subhead' }, name), h('span', { class: 'headline' }, text)),
    good !== undefined && icon(good ? 'check' : 'warning', { size: 22, label: good ? t`good` : t`needs attention` }),
  );
