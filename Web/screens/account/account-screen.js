// An account on the page's own server, or in an app on a server that the person names: the same zones on every device, and phones
// that report in the background.
import { phone } from '../../scripts/device/phone-app.js';
import { download } from '../../scripts/files/download.js';
import { replace } from '../../scripts/page/address.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import * as push from '../../scripts/server/push.js';
import { serverOf } from '../../scripts/server/server.js';
import { liveOf } from '../../scripts/server/signed-in.js';
import { syncOf } from '../../scripts/server/sync.js';
import { sentence } from '../../scripts/words/sentence.js';
import { plural, t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';
import { toggle } from '../../parts/controls.js';
import { card, field, row, section, switchRow, topBar } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { publishing } from './account-broker.js';
import { channels } from '../channels/account-channels.js';
import { forgotten, renewal } from './account-password.js';
import { privacy } from './account-private.js';
import { addressEntry, addressRow, leavingUntold } from './server-address.js';
import { shownTogether } from './shown-together.js';
import { codeField } from './second-factor.js';
import { signInCode } from './sign-in-code.js';
import { codeEntry, otherWays } from './sign-in-ways.js';

/** The interval between attempts to reach a server that did not answer, in ms. */
const again_ms = 5000;

export function show(app, outlet, { query }) {
  styles('story');
  const pane = h('div', { class: 'pane account' });
  outlet.append(pane);
  const server = serverOf(app);
  let sync;
  let live;
  let shown;
  let gone = false;
  let token = query.get('setup');
  /** True if the person signs in by making an account. */
  let isNew = false;
  let reset = query.get('reset');
  /** True if a provider has confirmed the person and the account still asks for a code. */
  let asksCode = query.get('code') === 'oidc';
  /** The address to open once after the person has signed in. */
  const then = query.get('then');
  const state = h('div');
  const draw = () => {
    if (gone) return;
    if (then?.startsWith('/') && server.signedIn) {
      gone = true;
      queueMicrotask(() => replace(then));
      return;
    }
    // Draws only if this value changes, so that a form keeps its input.
    const wanted = reset
      ? 'reset'
      : server.signedIn
        ? `in:${server.account.id}:${server.account.is_private}`
        : server.state === 'none' || server.state === 'unknown'
          ? server.state
          : asksCode
            ? 'code'
            : server.home
              ? 'out'
              : 'nowhere';
    if (wanted !== shown) {
      shown = wanted;
      const top = topBar({
        title: t`Account`,
        detail: server.signedIn ? t`Signed in as ${server.account.login}` : t`The same zones on all your devices`,
        back: '#/more',
      });
      if (reset)
        fill(
          pane,
          top,
          renewal(server, reset, () => {
            reset = null;
            history.replaceState(null, '', '#/account');
            draw();
          }),
        );
      else if (server.signedIn) fill(pane, top, inside({ app, server, sync: () => sync, state, isNew }));
      else if (server.state === 'none' || server.state === 'unknown') fill(pane, top, !phone && without(server));
      else if (!server.home) fill(pane, top, addressEntry(server, draw));
      else if (asksCode)
        fill(
          pane,
          top,
          codeEntry(server, () => {
            asksCode = false;
            history.replaceState(null, '', '#/account');
            draw();
          }),
        );
      else {
        isNew = Boolean(token);
        fill(
          pane,
          top,
          phone && addressRow(server, draw),
          entrance(app, server, token, () => {
            token = null;
            history.replaceState(null, '', '#/account');
          }),
        );
      }
    }
    if (server.signedIn) fill(state, condition(server, sync, live));
  };
  server.addEventListener('change', draw);
  syncOf(app).then((found) => {
    sync = found;
    sync.addEventListener('change', draw);
    draw();
  });
  liveOf(app).then((found) => {
    live = found;
    live.addEventListener('open', draw);
    draw();
  });
  draw();
  // If the first answer was lost or late, asks again until the server can be reached.
  let again;
  const look = async () => {
    await server.look();
    if (!gone && server.state === 'unknown') again = setTimeout(look, again_ms);
  };
  if (server.state === 'unknown') look();
  return () => {
    gone = true;
    clearTimeout(again);
    server.removeEventListener('change', draw);
    sync?.removeEventListener('change', draw);
    live?.removeEventListener('open', draw);
  };
}

function without(server) {
  return h(
    'div',
    { class: 'card empty' },
    icon('cloud', { size: 40 }),
    h(
      'p',
      { class: 'headline' },
      server.state === 'none' ? t`This page has no server` : t`The server cannot be reached`,
    ),
    h(
      'p',
      { class: 'subhead' },
      t`Everything works on this device without one. With a server the same zones are on all your devices, and phones
        can report in the background.`,
    ),
    h('button', { type: 'button', class: 'button', onclick: () => server.look() }, t`Try again`),
  );
}

/**
 * The form to sign in or to create an account.
 * @param {string|null} token of a set-up link; `used` is called when it has made the account
 */
function entrance(app, server, token, used) {
  const login = h('input', {
    class: 'input',
    name: 'login',
    autocomplete: 'username',
    autocapitalize: 'off',
    spellcheck: 'false',
    required: true,
    maxlength: 100,
  });
  const password = h('input', {
    class: 'input',
    name: 'password',
    type: 'password',
    autocomplete: token ? 'new-password' : 'current-password',
    required: true,
    minlength: token ? 8 : null,
    maxlength: 200,
  });
  const link = h('input', { class: 'input', name: 'setup', autocomplete: 'off', placeholder: 'https://…/#setup=…' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  /** The field for a code; undefined until the server asks for one. */
  let code;
  const zones = app.zones.size;
  let isPrivate = false;
  const button = h('button', { class: 'button primary wide', type: 'submit' }, token ? t`Create account` : t`Sign in`);
  const form = h(
    'form',
    {
      class: 'entrance',
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        problem.textContent = '';
        if (!login.value.trim() || !password.value) {
          problem.textContent = t`Name and password are both needed.`;
          return;
        }
        if (token && password.value.length < 8) {
          problem.textContent = t`The password has ${password.value.length} characters; 8 or more are needed.`;
          return;
        }
        button.disabled = true;
        try {
          if (token) {
            await server.setUp(token, login.value, password.value, { isPrivate });
            used();
          } else await server.signIn(login.value, password.value, code?.input.value.trim());
          snackbar(t`Signed in as ${server.account.login}`);
        } catch (error) {
          if (error.kind === 'second-factor-needed') {
            code = codeField();
            problem.before(code.element);
            code.input.focus();
            return;
          }
          problem.textContent = sentence(error.message);
          (code?.input ?? password).select();
        } finally {
          button.disabled = false;
        }
      },
    },
    field({ label: t`Name`, input: login }),
    field({ label: t`Password`, input: password, hint: token ? t`At least 8 characters.` : undefined }),
    token &&
      switchRow({
        title: t`Private mode`,
        detail: t`The server never learns a place of yours. This device decides, and your zones, alarms and history stay on it.`,
        control: toggle({
          label: t`Private mode`,
          value: false,
          key: 'private',
          onchange: (on) => {
            isPrivate = on;
          },
        }),
      }),
    problem,
    button,
  );
  return [
    h(
      'div',
      { class: 'card padded' },
      token && h('p', { class: 'body' }, t`This link makes one account. Choose its name and password.`),
      form,
      zones > 0 &&
        h(
          'p',
          { class: 'footnote' },
          plural(zones, {
            one: t`The ${zones} zone on this device will be in your account too.`,
            other: t`The ${zones} zones on this device will be in your account too.`,
          }),
        ),
    ),
    phone &&
      h('p', { class: 'footnote' }, t`A new account or a new password is made on the server’s own page, in a browser.`),
    !token && !phone && otherWays(server),
    !token && !phone && forgotten(server, login),
    !token &&
      !phone &&
      section(
        { title: t`No account yet?` },
        h(
          'div',
          { class: 'card padded' },
          h(
            'p',
            { class: 'subhead' },
            t`The operator of the server gives you a link for setting one up. Open it, or paste it here.`,
          ),
          field({ label: t`Set-up link`, input: link }),
          h(
            'button',
            {
              type: 'button',
              class: 'button',
              onclick: () => {
                const found = /(?:setup=)?([\w-]{20,200})$/.exec(link.value.trim());
                if (found) location.hash = `#/account?setup=${encodeURIComponent(found[1])}`;
                else snackbar(t`This is not a set-up link: it contains setup= and a long word.`);
              },
            },
            t`Continue`,
          ),
        ),
      ),
    h('p', { class: 'footnote' }, t`Without an account everything stays on this device, and works.`),
  ];
}

const syncWords = {
  off: t`Not signed in`,
  private: t`Private: all stays on this device`,
  waiting: t`No network`,
  busy: t`Comparing`,
  done: t`Up to date`,
  failed: t`Not all was sent`,
};

function condition(server, sync, live) {
  const state = server.state === 'offline' ? 'waiting' : (sync?.state ?? 'busy');
  const ago = sync?.doneAt && Math.max(0, (Date.now() - sync.doneAt) / 1000);
  const line =
    state === 'done' && ago !== null
      ? ago < 5
        ? t`just now`
        : words.ago(ago)
      : sync?.waiting
        ? plural(sync.waiting, {
            one: t`${sync.waiting} change not sent yet`,
            other: t`${sync.waiting} changes not sent yet`,
          })
        : sync?.problem;
  return [
    h(
      'div',
      { class: `card sync-state ${state}`, 'data-state': state },
      row({
        title: syncWords[state],
        detail: line && sentence(String(line)),
        leading: h(
          'span',
          { class: `badge ${state === 'failed' ? 'warn' : state === 'done' ? 'good' : 'quiet'}` },
          icon(state === 'failed' ? 'warning' : state === 'done' ? 'check' : 'cloud', { size: 20 }),
        ),
        trailing:
          state !== 'private' &&
          h(
            'button',
            { type: 'button', class: 'button small', onclick: () => sync?.now(), 'data-key': 'sync-now' },
            t`Sync`,
          ),
      }),
    ),
    sync?.unfit.length > 0 &&
      h(
        'p',
        { class: 'problem' },
        plural(sync.unfit.length, {
          one: t`This device cannot use ${sync.unfit.length} of these; it is not watched here: ${sync.unfit[0].unfit}`,
          other: t`This device cannot use ${sync.unfit.length} of these; they are not watched here:
            ${sync.unfit[0].unfit}`,
        }),
      ),
    sync?.refused.length > 0 &&
      h(
        'p',
        { class: 'problem' },
        t`The server does not accept ${sync.refused.length} of these: ${sync.refused[0].refused}`,
      ),
    // The line keeps its space while it does not apply.
    h(
      'p',
      { class: `footnote live${live?.isOpen ? '' : ' to-come'}` },
      t`Changes on other devices appear here at once.`,
    ),
  ];
}

const exported = 'proximity-export.ndjson';
/** The server writes all of it to a file first, in ms. */
const exportPatience_ms = 600_000;

function inside({ app, server, sync, state, isNew }) {
  const exporting = async () => {
    try {
      const all = await server.ask('GET', '/account/export', undefined, { bytes: true, patience: exportPatience_ms });
      await download(all, exported, 'application/x-ndjson');
    } catch (error) {
      snackbar(error.message);
    }
  };
  const notify = h('div');
  const told = channels(server, app, { removed: () => published.reload() });
  const published = publishing(server, { done: () => told.reload() });
  const pushed = phone ? undefined : drawPush(app, notify, { done: told.reload });
  const showsCode = isNew && !phone && !isTouched();
  const phones = section(
    { title: t`Alarms of your phones` },
    card(
      !phone && !showsCode && onwards(),
      notify,
      row({
        title: t`Background reporting`,
        detail: t`Pair a phone app with a QR code`,
        href: '#/pairing',
        leading: h('span', { class: 'tile quiet' }, icon('phone')),
      }),
    ),
  );
  const parts = [
    showsCode && codeSection(server),
    Object.assign(phones, { ready: pushed }),
    told,
    published,
    privacy(app, server),
    h(
      'div',
      { class: 'card' },
      row({
        title: t`Security`,
        detail: t`Password, passkeys, signed-in devices`,
        href: '#/security',
        leading: h('span', { class: 'tile quiet' }, icon('shield')),
      }),
      row({
        title: t`For organisations`,
        detail: t`Publish zones, manage groups, change keys`,
        href: '#/organisations',
        leading: h('span', { class: 'tile quiet' }, icon('people')),
      }),
    ),
    section(
      { title: t`What is stored` },
      h(
        'div',
        { class: 'card padded' },
        h(
          'p',
          { class: 'subhead' },
          server.account.is_private
            ? t`On the server: your name and password, settings, kept messages, sounds, channels, public keys, and sealed messages
                until they are fetched. No zone, no position, no alarm.`
            : t`On the server: zones, reminders, settings, kept messages, your own sounds, your phones with the positions
                they report, and the alarms these rang. Positions of this page stay on this device.`,
        ),
        h(
          'div',
          { class: 'sheet-actions' },
          phone
            ? h('button', { type: 'button', class: 'button', id: 'export', onclick: exporting }, t`Download everything`)
            : h('a', { class: 'button', href: '/api/v1/account/export', download: exported }, t`Download everything`),
        ),
      ),
    ),
    h(
      'div',
      { class: 'account-ends' },
      h(
        'button',
        { type: 'button', class: 'button wide', id: 'sign-out', onclick: () => leaving(app, server, sync()) },
        t`Sign out`,
      ),
      h(
        'button',
        { type: 'button', class: 'button wide danger', onclick: () => erasing(server, sync()) },
        t`Delete the account`,
      ),
    ),
  ];
  return [state, shownTogether(parts.filter(Boolean))];
}

const isTouched = () => matchMedia('(pointer: coarse)').matches;

/** The way from this device to the phone, or on a phone the ways to be told in the pocket. */
const onwards = () =>
  row({
    ...(isTouched()
      ? { title: t`Alarms in your pocket`, detail: t`Three ways for this phone`, href: '#/open?ways' }
      : { title: t`Open on your phone`, detail: t`A code to scan, which signs it in`, href: '#/open' }),
    leading: h('span', { class: 'tile quiet' }, icon('phone')),
  });

/** The code itself, for a new account on a computer. */
function codeSection(server) {
  const code = signInCode(server);
  return Object.assign(section({ title: t`Open on your phone` }, code), { ready: code.ready });
}

/**
 * @param {{failure?: string, done: () => void}} how `failure` of the last change of the switch; `done` is called after a
 *   success
 */
async function drawPush(app, place, { failure, done }) {
  const state = await push.state(app).catch(() => 'unsupported');
  const leading = h('span', { class: 'tile quiet' }, icon('bell'));
  if (state === 'unsupported' || state === 'denied') {
    fill(
      place,
      row({
        title: t`Notify this browser`,
        leading,
        detail:
          state === 'denied'
            ? t`Not allowed: see the browser’s settings for this page`
            : t`This browser has no Web Push. On an iPhone, add the page to the Home Screen first.`,
      }),
    );
    return;
  }
  const line = h('span', {}, failure ?? t`Even when it is closed`);
  const control = toggle({
    label: t`Notify this browser`,
    value: state === 'on',
    key: 'push',
    onchange: async (on) => {
      // The switch shows the server's state and changes only after the server has accepted.
      control.value = !on;
      control.disabled = true;
      line.textContent = on ? t`Turning on …` : t`Turning off …`;
      let problem;
      try {
        if (on) await push.turnOn(app);
        else await push.turnOff(app);
      } catch (error) {
        problem = [on ? t`Still off.` : t`Still on.`, sentence(error.message)].join(' ');
      }
      if (!problem) done();
      drawPush(app, place, { failure: problem, done });
    },
  });
  fill(
    place,
    switchRow({ title: t`Notify this browser`, detail: line, leading, control }),
    state === 'on' &&
      row({
        title: t`Send a test`,
        low: true,
        key: 'push-test',
        onclick: () =>
          push
            .test(app)
            .then(({ outcome, detail }) =>
              snackbar(
                outcome === 'delivered'
                  ? t`The test was sent; it should show in a moment.`
                  : t`The test was not sent: ${detail || outcome}`,
              ),
            )
            .catch((error) => snackbar(error.message)),
      }),
  );
}

function leaving(app, server, sync) {
  const leave = async (keep, how) => {
    try {
      await server.signOut(how);
      await sync.leave({ keep });
      snackbar(t`Signed out`);
    } catch (error) {
      // An app whose server is gone for good could not take another one.
      if (phone && error.offline) leavingUntold(() => leave(keep, { hereOnly: true }));
      else snackbar(t`Not signed out: ${error.message}`);
    }
  };
  const end = (keep) => async () => {
    sheet.close();
    await push.turnOff(app).catch(() => {});
    await leave(keep);
  };
  const sheet = modalSheet(
    { label: t`Sign out` },
    h('h2', { class: 'title-2' }, t`Sign out?`),
    h(
      'p',
      { class: 'body' },
      sync.waiting > 0 &&
        `${plural(sync.waiting, {
          one: t`${sync.waiting} change has not been sent yet.`,
          other: t`${sync.waiting}
          changes have not been sent yet.`,
        })} `,
      plural(app.zones.size, {
        one: t`The ${app.zones.size} zone can stay on this device and go on watching.`,
        other: t`The ${app.zones.size} zones can stay on this device and go on watching.`,
      }),
    ),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        { type: 'button', class: 'button primary', id: 'keep-zones', onclick: end(true) },
        t`Keep the zones here`,
      ),
      h('button', { type: 'button', class: 'button', onclick: end(false) }, t`Remove them from here`),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Stay signed in`),
    ),
  );
}

function erasing(server, sync) {
  const password = h('input', { class: 'input', type: 'password', autocomplete: 'current-password', maxlength: 200 });
  const proof = field({ label: t`Your password`, input: password });
  const sheet = modalSheet(
    { label: t`Delete the account` },
    h('h2', { class: 'title-2' }, t`Delete the account?`),
    h(
      'p',
      { class: 'body' },
      t`Everything that the server keeps for it is deleted: zones, phones, positions, alarms. Everything on this device stays. This cannot be undone.`,
    ),
    proof,
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button alarm',
          onclick: async () => {
            try {
              await server.erase(password.value);
              sheet.close();
              await sync.leave({ keep: true });
              snackbar(t`The account is deleted`);
            } catch (error) {
              proof.say(sentence(error.message));
            }
          },
        },
        t`Delete it`,
      ),
      h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Keep it`),
    ),
  );
}
