// Requests that wait for the account's answer: invitations to groups, phones that others offer to show, and alarms that others let
// it answer. They are announced on the first screen, and by their number at *People* in the bar, since nobody opens that without a
// reason.
import { h } from '../page/dom.js';
import { plural, t } from '../words/translate.js';
import { alarmTitle } from '../words/words.js';

/** The interval of requests for them while the page is visible, in ms: the stream does not report most of them. */
const every_ms = 30_000;

const calls = new Set(['ringing', 'closed']);

/** @returns {{key: string, title: string, rings?: boolean}[]} ringing alarms first */
export function waitingOf({ memberships, shared, owners, alarms }) {
  return [
    ...alarms
      .filter(({ state }) => calls.has(state))
      .map((alarm) => ({
        key: alarm.id,
        title: `${alarmTitle(alarm)} · ${alarm.owner_name || alarm.owner_login}`,
        rings: true,
      })),
    ...memberships
      .filter(({ state }) => state === 'invited')
      .map((each) => ({
        key: each.id,
        title: t`${each.manager_name || each.manager_login} invites you to ${each.group_name}`,
      })),
    ...shared
      .filter(({ is_accepted: isAccepted }) => !isAccepted)
      .map((each) => ({
        key: each.id,
        title: t`${each.owner_name || each.login} offers to show you ${each.device_name}`,
      })),
    ...owners
      .filter(({ is_accepted: isAccepted }) => !isAccepted)
      .map((each) => ({ key: each.deputy_id, title: t`${each.name || each.login} would let you answer their alarms` })),
  ];
}

/** Updates `app.waiting`, dispatches `waiting` on the app when it changes, and puts the sign on the bar. */
export function announce(app, server, live) {
  app.waiting = [];
  let timer;
  const take = (found) => {
    if (JSON.stringify(found) === JSON.stringify(app.waiting)) return;
    app.waiting = found;
    sign(found);
    app.dispatchEvent(new CustomEvent('waiting'));
  };
  const look = async () => {
    clearTimeout(timer);
    if (server.state === 'out') take([]);
    if (server.state !== 'in' || document.visibilityState !== 'visible') return;
    try {
      const [memberships, shared, owners, alarms] = await Promise.all(
        ['/memberships', '/shared', '/deputy-for', '/others-alarms'].map((path) => server.ask('GET', path)),
      );
      take(
        waitingOf({
          memberships: memberships.items,
          shared: shared.items,
          owners: owners.items,
          alarms: alarms.items,
        }),
      );
    } catch (error) {
      if (!error.offline) console.error(error);
    }
    clearTimeout(timer);
    timer = setTimeout(look, every_ms);
  };
  server.addEventListener('change', look);
  live.addEventListener('open', look);
  // The screen for the answers has just requested all of it.
  app.addEventListener('people', ({ detail }) => take(waitingOf(detail)));
  document.addEventListener('visibilitychange', look);
  look();
}

const waitingWords = (count) => plural(count, { one: t`${count} waits for you`, other: t`${count} wait for you` });

function sign(found) {
  const place = document.querySelector('nav.places [data-place="people"]');
  place?.querySelector('.sign')?.remove();
  if (!found.length) return;
  const looks = found.some(({ rings }) => rings) ? 'ringing' : 'waiting';
  place?.append(
    h(
      'span',
      { class: `sign counted ${looks}` },
      h('span', { class: 'number', 'aria-hidden': 'true' }, String(found.length)),
      h('span', { class: 'visually-hidden' }, `, ${waitingWords(found.length)}`),
    ),
  );
}
