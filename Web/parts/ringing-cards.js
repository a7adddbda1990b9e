// Alarms that are not over: closed ones that will sound again, and silent ones, of this device and of the account's phones.
// Each stays on the first screen until it is answered or over.
import { h } from '../scripts/page/dom.js';
import { categoryLook, icon } from '../scripts/page/icons.js';
import { stoppedUntil } from '../scripts/words/answer-words.js';
import { t } from '../scripts/words/translate.js';
import * as words from '../scripts/words/words.js';
import { snackbar } from './snackbar.js';

const defaultCycle_s = 10;

/** @returns {HTMLElement|null} null without alarms */
export function ringingCards(app) {
  const entries = [...app.report.alarms, ...(app.ringing?.phones ?? [])];
  if (!entries.length) return null;
  const answer = (command, alarm) =>
    app.ringing.answer(command, alarm).catch((error) => snackbar(t`Not answered: ${error.message}`));
  return h(
    'section',
    { 'aria-label': t`Alarms`, class: 'ringing-cards' },
    h(
      'ul',
      { class: 'card' },
      entries.map((entry) =>
        h(
          'li',
          { 'data-key': entry.alarm },
          row(app, entry),
          entry.zone.state === 'ringing' &&
            h(
              'div',
              { class: 'row-answers' },
              h(
                'button',
                { class: 'button ink', onclick: () => answer('inside', entry.alarm) },
                t.meaning('an alarm')`Stop`,
              ),
              !entry.isPerson &&
                h(
                  'button',
                  { class: 'button sleep', onclick: () => answer('sleep', entry.alarm) },
                  icon('moon'),
                  t`Sleep ${words.span(entry.sleep_s)}`,
                ),
            ),
        ),
      ),
    ),
  );
}

function row(app, entry) {
  const { zone, device } = entry;
  const rings = zone.state === 'ringing';
  const { picture, colour } = categoryLook(zone.category);
  return h(
    'div',
    { class: 'row', style: { '--category': rings ? 'var(--alarm)' : colour } },
    h('span', { class: 'tile' }, icon(rings ? 'bell' : device ? 'phone' : picture)),
    h(
      'span',
      { class: 'grow' },
      h('span', { class: 'headline name' }, zone.name || t`A zone`),
      device && h('span', { class: 'subhead' }, words.phoneCause(entry)),
      rings
        ? h(
            'span',
            { class: 'subhead' },
            h('span', { class: 'tag alarm' }, icon('bell', { size: 14 }), t`Ringing`),
            ` ${repeats(app, entry)}`,
          )
        : h('span', { class: 'tag sleep' }, icon('moon', { size: 14 }), quietUntil(app, entry)),
    ),
  );
}

function quietUntil(app, entry) {
  if (entry.zone.until_ms) return t`until ${words.clock(entry.zone.until_ms)}`;
  return stoppedUntil(entry);
}
const repeats = (app, { device }) =>
  device
    ? t`sounds again until it is answered`
    : t`sounds again every ${words.span(app.settings.alarm_cycle_s ?? defaultCycle_s)}`;
