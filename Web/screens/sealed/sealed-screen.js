// Sealed alarm messages: the contacts, the alarms each is told of, and received messages. `#/sealed`.
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { fingerprint } from '../../scripts/sealed/sealed-box.js';
import { sealedOf } from '../../scripts/server/signed-in.js';
import { serverOf } from '../../scripts/server/server.js';
import { plural, t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';
import { card, field, row, section, topBar } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { contactSheet } from './contact-sheet.js';

export async function prepare() {
  await styles('settings', 'story');
}

export function show(app, outlet) {
  const server = serverOf(app);
  const place = h('div', {});
  const login = h('input', {
    class: 'input',
    name: 'sealed-login',
    maxlength: 100,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  const person = field({ label: t`With whom`, input: login, hint: t`Their sign-in name.` });
  outlet.append(
    h(
      'div',
      { class: 'pane' },
      topBar({
        title: t`Sealed alarm messages`,
        detail: t`Only the browsers of the people you choose can read them`,
        back: '#/security',
      }),
      place,
    ),
  );
  let sealed;
  const draw = () => {
    if (server.state !== 'in') return fill(place, aside(server));
    if (!sealed) return fill(place, h('p', { class: 'note' }, t`Asking the server…`));
    fill(place, sealed.isSetUp ? inside({ app, server, sealed, person, login }) : beginning(sealed));
  };
  const begin = () =>
    server.state === 'in' &&
    !sealed &&
    sealedOf(app)
      .then(async (found) => {
        sealed = found;
        await sealed.now();
        sealed.addEventListener('change', draw);
        draw();
      })
      .catch((error) => fill(place, h('p', { class: 'note warn' }, error.message)));
  server.addEventListener('change', begin);
  server.addEventListener('change', draw);
  (server.state === 'in' ? Promise.resolve() : server.look()).then(begin);
  draw();
  return () => {
    server.removeEventListener('change', begin);
    server.removeEventListener('change', draw);
    sealed?.removeEventListener('change', draw);
  };
}

const aside = (server) =>
  server.state === 'offline'
    ? h('p', { class: 'note' }, t`Not known without network.`)
    : h(
        'div',
        { class: 'card empty' },
        icon('message', { size: 40 }),
        h('p', { class: 'headline' }, t`Sealed messages pass from account to account`),
        h('a', { class: 'button', href: '#/account' }, t`Account`),
      );

function beginning(sealed) {
  const problem = h('p', { class: 'problem', role: 'alert' });
  return h(
    'div',
    { class: 'card padded' },
    h(
      'p',
      { class: 'body' },
      t`When an alarm rings here, the people you choose can be told. This browser seals the message, theirs opens it; the server
        carries it and cannot read it. The keys are made here and never leave this browser.`,
    ),
    problem,
    h(
      'button',
      {
        type: 'button',
        class: 'button primary wide',
        id: 'seal-here',
        onclick: () =>
          sealed.setUp().catch((error) => {
            problem.textContent = error.message;
          }),
      },
      t`Make the keys of this browser`,
    ),
  );
}

function inside({ app, server, sealed, person, login }) {
  const agreed = sealed.contacts.filter(({ is_agreed: is }) => is);
  const open = sealed.contacts.filter(({ is_agreed: is }) => !is);
  return [
    sealed.problem && h('p', { class: 'note warn' }, sealed.problem),
    sealed.strangeKeys.map(({ contact, key }) =>
      h(
        'p',
        { class: 'note warn', 'data-key': `strange-${key.id}` },
        t`${nameOf(contact)} has a new key (${key.name}). It gets no alarms before you have compared its number.`,
      ),
    ),
    section(
      { title: t`People`, count: agreed.length || undefined },
      h(
        'div',
        { class: 'card' },
        agreed.map((contact) =>
          row({
            key: contact.id,
            title: nameOf(contact),
            detail: told(sealed, contact),
            leading: h('span', { class: 'tile quiet' }, icon('user')),
            chevron: true,
            onclick: () => contactSheet({ app, server, sealed, contact }),
          }),
        ),
        open.map((contact) =>
          contact.is_asked_by_me ? askedRow(server, sealed, contact) : offerRow(server, sealed, contact),
        ),
        h(
          'form',
          {
            class: 'padded',
            novalidate: true,
            onsubmit: async (event) => {
              event.preventDefault();
              const name = login.value.trim();
              person.say(name ? '' : t`Type their sign-in name.`);
              if (!name) return;
              try {
                await server.ask('POST', '/sealed-contacts', { login: name });
                login.value = '';
                // The answer must not reveal which accounts exist.
                snackbar(t`If there is an account ${name}, it is asked`);
                await sealed.now();
              } catch (error) {
                person.say(error.message);
              }
            },
          },
          person,
          h('button', { type: 'submit', class: 'button' }, t`Ask`),
        ),
      ),
    ),
    sealed.waiting > 0 &&
      h(
        'p',
        { class: 'footnote padded' },
        plural(sealed.waiting, {
          one: t`${sealed.waiting} message has not gone out yet.`,
          other: t`${sealed.waiting} messages have not gone out yet.`,
        }),
      ),
    sealed.received.length > 0 &&
      section(
        { title: t`Came here`, count: sealed.received.length },
        card(sealed.received.map((entry) => cameRow(sealed, entry))),
      ),
    sealed.answers.length > 0 &&
      section(
        { title: t`Seen by others` },
        card(
          sealed.answers.map((answer) =>
            row({
              key: `answer-${answer.id}-${answer.login}`,
              title: t`${answer.login} has seen your alarm`,
              detail: words.day(answer.time_ms),
              leading: h('span', { class: 'tile quiet' }, icon('check')),
            }),
          ),
        ),
      ),
    section(
      { title: t`This browser` },
      h(
        'div',
        { class: 'card padded' },
        h(
          'p',
          { class: 'subhead' },
          t`The number of this browser’s key. Read it to the others, by voice, and let them compare.`,
        ),
        h('p', { class: 'headline number', id: 'own-number' }, fingerprint(sealed.publicKey)),
      ),
    ),
  ];
}

const nameOf = ({ name, login }) => name || login;

function told(sealed, contact) {
  const { which, zones, place } = sealed.toldOf(contact);
  if (!contact.keys.length) return t`Has no keys yet`;
  const what =
    which === 'all'
      ? t`Notified of all alarms`
      : which === 'zones' && zones.length
        ? plural(zones.length, {
            one: t`Notified of ${zones.length} zone`,
            other: t`Notified of ${zones.length} zones`,
          })
        : t`Not notified of any alarm yet`;
  return place ? `${what} · ${t`with the place`}` : what;
}

const does = (work, sealed) => async () => {
  try {
    await work();
    await sealed.now();
  } catch (error) {
    snackbar(error.message);
  }
};

function askedRow(server, sealed, contact) {
  return row({
    key: contact.id,
    title: nameOf(contact),
    detail: t`not accepted yet`,
    leading: h('span', { class: 'tile quiet' }, icon('user')),
    trailing: h(
      'button',
      {
        type: 'button',
        class: 'button small',
        onclick: does(() => server.ask('DELETE', `/sealed-contacts/${contact.id}`), sealed),
      },
      t`Withdraw`,
    ),
  });
}

function offerRow(server, sealed, contact) {
  return h(
    'div',
    { class: 'row stacked', 'data-key': contact.id },
    h('p', { class: 'headline' }, t`${nameOf(contact)} asks to exchange sealed alarm messages`),
    h(
      'div',
      { class: 'sheet-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button primary',
          onclick: does(() => server.ask('PUT', `/sealed-contacts/${contact.id}/agree`), sealed),
        },
        t`Agree`,
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          onclick: does(() => server.ask('DELETE', `/sealed-contacts/${contact.id}`), sealed),
        },
        t`Decline`,
      ),
    ),
  );
}

function cameRow(sealed, entry) {
  const { id, login, time_ms: time, unreadable, place } = entry;
  if (unreadable)
    return row({
      key: id,
      title: t`A message of ${login} cannot be opened`,
      detail: words.day(time),
      leading: h('span', { class: 'tile quiet' }, icon('warning')),
    });
  return row({
    key: id,
    title: entry.zone || t`A zone`,
    detail: [
      words.phoneCause({ device: login, cause: entry.cause }),
      `${words.day(time)}, ${words.clock(time)}`,
      !entry.verified && t`key not compared`,
    ]
      .filter(Boolean)
      .join(' · '),
    leading: h('span', { class: 'tile quiet' }, icon(entry.closed ? 'check' : 'bell')),
    href: place ? `#/map?at=${place.join(',')}` : undefined,
  });
}
