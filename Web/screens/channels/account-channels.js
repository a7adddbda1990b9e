// The recipients of alarms of the account's phones, notified one after the other while nobody answers, and the share of notices
// that were seen.
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { offerDraft, offerSheet, sheetDraft } from '../../parts/drafts.js';
import { field, menu, row, section } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { addChannel, addable, channelDraft } from './add-channel.js';
import { isLimited, ruleSheet, ruleWords } from './channel-rule.js';
import { number } from '../../scripts/words/locale.js';
import { t } from '../../scripts/words/translate.js';
import { kinds } from '../../scripts/words/channel-words.js';
import * as words from '../../scripts/words/words.js';

const pictures = { web_push: 'bell', mail: 'mail' };
const mostSteps = 3;
/** The server's delay if none is set, in s. */
const standardDelays = [60];

const wait = (seconds) =>
  seconds < 60 ? t`${seconds} s` : t`${number(seconds / 60, { maximumFractionDigits: 1 })} min`;

/** The destination of a channel, or its kind if its name contains the destination already. */
function leadsTo({ name, kind, leads_to: to }) {
  return name && to?.includes(name) ? kinds[kind] : to;
}

/** The time at which a step is notified: the lowest step at once, each later one after its delays. */
function stepWords(step, steps, delays) {
  const later = [...new Set([...steps, step])]
    .sort((a, b) => a - b)
    .slice(1)
    .filter((each) => each <= step);
  if (!later.length) return t`At once`;
  return t`After ${wait(later.reduce((sum, each) => sum + (delays[each - 1] ?? delays.at(-1)), 0))} without an answer`;
}

/** A time of day from the server, as it is written in the person's language. */
function timeText(text) {
  const [hours, minutes] = text.split(':').map(Number);
  return words.clock(new Date(2026, 0, 1, hours, minutes).getTime());
}

/** The result of the last test: a failure always, a success only if the channel is tested daily. */
function tested({ last_test: test, daily_test: daily }) {
  if (!test || (!test.failure && !daily)) return undefined;
  const at = Date.parse(test.at);
  const when = `${words.day(at)}, ${words.clock(at)}`;
  return test.failure ? t`test failed, ${when}: ${test.failure}` : t`test arrived, ${when}`;
}

/** @param {{removed: () => void}} how `removed` is called after a channel was removed */
export function channels(server, app, { removed }) {
  const list = h('div', { class: 'card' }, h('p', { class: 'footnote padded' }, t`Asking the server…`));
  const seen = h('p', { class: 'footnote' });
  const told = (error) => snackbar(error.message);

  const load = async () => {
    try {
      const [{ items }, { escalation_delays_s: delays = standardDelays }] = await Promise.all([
        server.ask('GET', '/channels'),
        server.ask('GET', '/settings'),
      ]);
      fill(
        list,
        items.length === 0 &&
          h('p', { class: 'footnote padded' }, t`Nobody yet: alarms of your phones are seen on this page only.`),
        items.map((channel) => {
          const button = h(
            'button',
            {
              type: 'button',
              class: 'button small',
              'aria-label': t`When ${channel.name || kinds[channel.kind]} is told`,
              onclick: () =>
                choose(
                  channel,
                  items.filter((each) => each !== channel).map(({ escalation_step: step }) => step),
                  delays,
                  button,
                ),
            },
            t`When`,
          );
          return row({
            title: channel.name || kinds[channel.kind] || channel.kind,
            key: channel.id,
            detail: [
              stepWords(
                channel.escalation_step,
                items.map(({ escalation_step: step }) => step),
                delays,
              ),
              leadsTo(channel),
              ruleWords(channel),
              channel.awaits_confirmation && t`not told before the link in the mail is opened`,
              tested(channel),
            ]
              .filter(Boolean)
              .join(' · '),
            leading: h('span', { class: 'tile quiet' }, icon(pictures[channel.kind] ?? 'message')),
            trailing: button,
          });
        }),
        row({
          title: t`Add somebody`,
          detail: t`By mail, a messaging service, a text message, a call or a program`,
          leading: h('span', { class: 'tile quiet' }, icon('plus')),
          key: 'add-channel',
          onclick: () =>
            menu({
              label: t`Who is notified`,
              at: list.querySelector('[data-key="add-channel"]'),
              items: addable.map((what) => ({ label: what.title, run: () => add(what, items) })),
            }),
        }),
        new Set(items.map(({ escalation_step: step }) => step)).size > 1 &&
          row({
            title: t`Time between`,
            detail: delays.map(wait).reduce((first, next) => t`${first}, then ${next}`),
            low: true,
            key: 'delays',
            onclick: () => timing(server, delays, load),
          }),
      );
      offerDraft(channelDraft(server), ({ key }) => {
        const what = addable.find((each) => channelDraft(server, each) === key);
        if (what) add(what, items);
      });
      offerSheet(`steps/${server.account.id}/`);
    } catch (error) {
      fill(list, h('p', { class: 'footnote padded' }, error.offline ? t`Not known without network.` : error.message));
    }
  };

  const add = (what, items) => addChannel(what, { server, step: items.length ? 1 : 0, done: load });

  const choose = (channel, others, delays, at) =>
    menu({
      label: t`${channel.name || kinds[channel.kind]} is notified`,
      at,
      items: [
        ...Array.from({ length: mostSteps }, (_, step) => ({
          label: stepWords(step, others, delays),
          picture: step === channel.escalation_step ? 'check' : undefined,
          run: () => put(channel, { escalation_step: step }).then(load, told),
        })),
        ...(channel.awaits_confirmation
          ? [
              {
                label: t`Send the link again`,
                run: () =>
                  server
                    .ask('POST', `/channels/${channel.id}/confirmation`)
                    .then(() => snackbar(t`A link was sent there. Alarms follow when it has been opened.`), told),
              },
            ]
          : []),
        {
          label: t`Send a test`,
          run: () =>
            server
              .ask('POST', `/channels/${channel.id}/test`)
              .then(
                ({ outcome, detail }) =>
                  snackbar(
                    outcome === 'delivered' ? t`The test was sent` : t`The test was not sent: ${detail || outcome}`,
                  ),
                told,
              ),
        },
        {
          label: isLimited(channel.rule) ? t`Sends some notices only` : t`Sends all notices`,
          run: () => limit(channel).catch(told),
        },
        {
          label: channel.daily_test ? t`Tested daily at ${timeText(channel.daily_test)}` : t`Test it every day`,
          run: () => testDaily(channel, (time) => put(channel, { daily_test: time }).then(load)),
        },
        {
          label: t`Remove`,
          danger: true,
          run: () => server.ask('DELETE', `/channels/${channel.id}`).then(load, told).then(removed),
        },
      ],
    });
  const put = ({ id }, changes) =>
    server.change(`/channels/${id}`, (now) => ({
      name: now.name,
      is_active: now.is_active,
      rule: now.rule,
      escalation_step: now.escalation_step,
      daily_test: now.daily_test,
      ...changes,
    }));

  const limit = async (channel) => {
    const [{ items: phones }, { time_zone: zone }] = await Promise.all([
      server.ask('GET', '/devices'),
      server.ask('GET', '/settings'),
    ]);
    ruleSheet({ app, server, channel, phones, zone, save: (rule) => put(channel, { rule }), done: load });
  };

  const notices = server.ask('GET', '/notices').then(
    ({ items }) => {
      const sum = (key) => items.reduce((all, each) => all + each[key], 0);
      const named = items.length && app.zones.get(items.toSorted((a, b) => b.shown - a.shown)[0].zone_id)?.name;
      seen.textContent = items.length
        ? [
            t`Notices of your zones: shown ${sum('shown')} times, opened ${sum('opened')} times.`,
            named && t`Most often shown: ${named}.`,
          ]
            .filter(Boolean)
            .join(' ')
        : '';
    },
    () => {},
  );
  const element = section({ title: t`Who is notified` }, list, seen);
  return Object.assign(element, { ready: Promise.all([load(), notices]), reload: load });
}

/** Edits the delays after which the next step is notified, in minutes. */
function timing(server, delays, done) {
  const names = [t`Before the second is told`, t`Before the next is told`];
  const inputs = names.map((_, index) =>
    h('input', {
      class: 'input',
      inputmode: 'decimal',
      name: `delay-${index}`,
      '.value': String((delays[index] ?? delays.at(-1)) / 60),
      oninput: () => fields[index].say(),
    }),
  );
  const fields = names.map((label, index) => field({ label, input: inputs[index], unit: 'min' }));
  const sheet = modalSheet(
    { label: t`Time between` },
    h('h2', { class: 'title-2' }, t`If nobody answers`),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault();
          const minutes = inputs.map(({ value }) => Number(value.trim().replace(',', '.')));
          const wrong = minutes.findIndex((each) => !(each * 60 >= 1 && each * 60 <= 86_400));
          if (wrong >= 0) return fields[wrong].say(t`1 second to a day is possible: 0.02 to 1,440 minutes.`);
          try {
            await server.change('/settings', (content) => ({
              ...content,
              escalation_delays_s: minutes.map((each) => each * 60),
            }));
            sheet.close('saved');
            done();
          } catch (error) {
            fields[0].say(error.message);
          }
          return undefined;
        },
      },
      fields,
      h(
        'div',
        { class: 'sheet-actions' },
        h('button', { class: 'button primary', type: 'submit' }, t`Save`),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close('discarded') }, t`Cancel`),
      ),
    ),
  );
  sheetDraft(sheet, `steps/${server.account.id}/delays`, () => timing(server, delays, done));
}

/**
 * Chooses the time of a daily test of a channel.
 * @param {(time: string | null) => Promise<void>} save `null`: no test
 */
function testDaily({ daily_test: daily }, save) {
  const input = h('input', {
    class: 'input',
    type: 'time',
    name: 'daily-test',
    '.value': daily ?? '10:00',
    oninput: () => line.say(),
  });
  const line = field({ label: t`Time of day`, input });
  const keep = (time) =>
    save(time).then(
      () => sheet.close(),
      (error) => line.say(error.message),
    );
  const sheet = modalSheet(
    { label: t`Daily test` },
    h('h2', { class: 'title-2' }, t`Daily test`),
    h(
      'p',
      { class: 'body' },
      t`A message without sound is sent there every day. If it does not arrive within an hour, everybody else in the list is told.`,
    ),
    h(
      'form',
      {
        class: 'entrance',
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          if (input.value) keep(input.value.slice(0, 5));
          else line.say(t`A time is missing.`);
        },
      },
      line,
      h(
        'div',
        { class: 'sheet-actions' },
        h('button', { class: 'button primary', type: 'submit' }, t`Save`),
        daily && h('button', { type: 'button', class: 'button', onclick: () => keep(null) }, t`No daily test`),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Cancel`),
      ),
    ),
  );
}
