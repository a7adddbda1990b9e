// The main screen: one large button, the state of alarms, the nearest zones, and the guarantee.
import * as notifications from '../../scripts/alarm/notifications.js';
import { phone } from '../../scripts/device/phone-app.js';
import { describe, made, update } from '../../scripts/page/dom.js';
import { Drawing } from '../../scripts/page/drawing.js';
import { categoryLook, icon as drawn } from '../../scripts/page/icons.js';
import { painted } from '../../scripts/page/painted.js';
import { ring as ringOf } from '../../scripts/page/ring.js';
import * as sounds from '../../scripts/sounds/sounds.js';
import { promise } from '../../scripts/words/promises.js';
import { plural, t } from '../../scripts/words/translate.js';
import { watchWords } from '../../scripts/words/watch-words.js';
import * as words from '../../scripts/words/words.js';
import { placeFirst, sentence } from './place-first.js';
import { ringingCards } from '../../parts/ringing-cards.js';
import { sizedNumber } from '../../parts/sized-number.js';
import { snackbar } from '../../parts/snackbar.js';
import { compareNames } from '../../scripts/words/locale.js';

// Descriptions of elements. An element is created only if its description differs from the element in place.
const icon = (...values) => made(drawn, ...values);
const arrow = (degrees, size) => drawn('arrow', { size, turned: degrees }, describe);
/** Rounds to half a pixel, since a smaller change is not visible. */
function ring(closeness, look) {
  const steps = 4 * Math.PI * look.radius;
  return ringOf(Math.round(closeness * steps) / steps, look, describe);
}

/** The age from which a position is shown with its age, in ms. */
const stale = 60_000;
/** The accuracy from which a position is shown as weak, in metres. */
const weak_m = 50;

/** The most reminders on the first screen while there are no zones. */
const mostReminders = 5;
/** The open items of a reminder, or its places if there are none. */
const remindedOf = (items, places) => {
  const open = items.filter(({ done }) => !done).map(({ text }) => text);
  return (open.length ? open : places.map(({ name }) => name)).join(', ');
};

/** The title of a section, with a link to all reminders. */
const headed = (title) =>
  describe(
    'div',
    { class: 'section-title' },
    describe('h2', { class: 'title-2' }, title),
    describe('a', { class: 'link', href: '#/reminders' }, t`All reminders`),
  );

const ownAlarmsOff = () =>
  describe(
    'div',
    { class: 'section-title own-off' },
    describe('h2', { class: 'title-2' }, t`This device`),
    describe('span', { class: 'subhead' }, t`Alarms off`),
  );

/** Unlocks the sound within the tap, as browsers require. The trial's module is loaded on demand. */
async function startTrial(app, zone) {
  sounds.unlock();
  const { tryAlarm } = await import('../../parts/trial-alarm.js');
  tryAlarm(app, zone);
}

async function callForHelp(app) {
  const { openSOS } = await import('./sos-sheet.js');
  openSOS(app);
}

/** The actions of buttons that remove an obstacle. */
const mends = {
  seek: (app) => app.seekPosition(),
  look: (app) => app.ask('advance'),
  recall: (app) => app.storage.seek(),
};

export class AlarmScreen extends HTMLElement {
  set app(app) {
    this.#app = app;
  }
  #app;
  #clock;
  #isNew = false;

  connectedCallback() {
    this.className = 'pane alarm-screen';
    for (const name of ['change', 'settings', 'waiting', 'account']) this.#app.addEventListener(name, this.#drawSoon);
    const { storage } = this.#app;
    storage.arrived
      .then(() => storage.kept('first_run', false))
      .then(
        (done) => {
          this.#isNew = !done;
          this.#draw();
        },
        () => {},
      );
    this.#app.wakeLock.addEventListener('change', this.#drawSoon);
    this.#app.begun.then(() => this.#app.ringing.addEventListener('change', this.#drawSoon));
    this.#clock = setInterval(this.#draw, 15_000);
    this.#draw();
  }

  disconnectedCallback() {
    for (const name of ['change', 'settings', 'waiting', 'account'])
      this.#app.removeEventListener(name, this.#drawSoon);
    this.#app.wakeLock.removeEventListener('change', this.#drawSoon);
    this.#app.ringing?.removeEventListener('change', this.#drawSoon);
    this.#drawing.drop();
    clearInterval(this.#clock);
  }

  #drawing = new Drawing(() => this.#draw());
  /** Combines the changes of one tap into one drawing. */
  #drawSoon = () => this.#drawing.ask();

  #draw = () => {
    this.#drawing.drop();
    if (!this.isConnected) return;
    const { report } = this.#app;
    const state = watchWords(this.#app);
    if (!report.total && !report.armed && this.#app.isKnown) {
      update(
        this,
        this.#top('Proximity Alarm', sentence),
        describe('div', { class: 'troubles' }, this.#troubles(report)),
        this.#waiting(),
        describe('div', {}, this.#app.checkInCard?.()),
        describe('div', { class: 'going' }, ringingCards(this.#app)),
        describe('div', {}, this.#reminders(report)),
        // Has its own content, which is kept while a person types.
        describe('div', { id: 'place-first' }),
        describe('div', {}, this.#welcome(report)),
      );
      const first = this.querySelector('#place-first');
      if (!first.firstChild) first.append(placeFirst(this.#app));
      return;
    }
    const isElsewhere = state.kind === 'ringing' && !report.armed;
    update(
      this,
      this.#header(report, state),
      describe('div', { class: 'troubles' }, this.#obstacle(state), this.#troubles(report)),
      this.#waiting(),
      describe('div', {}, this.#app.checkInCard?.()),
      describe('div', { class: 'going' }, state.kind === 'ringing' && ringingCards(this.#app)),
      // Alarms of phones ring here although those of this device are off.
      describe('div', {}, isElsewhere && ownAlarmsOff()),
      this.#hero(report, isElsewhere ? { kind: 'off' } : state),
      describe('div', { class: 'guarantee-line' }, this.#promise(state)),
      describe('div', { class: 'going' }, state.kind !== 'ringing' && ringingCards(this.#app)),
      this.#nearby(report, state),
      describe('div', {}, this.#welcome(report)),
      this.#awake(report),
    );
  };

  #header({ total }, state) {
    // The reason has its own card below.
    const detail =
      !hasCard(state.obstacle) || state.kind === 'ringing'
        ? state.detail
        : total
          ? plural(total, { one: t`The zone is not watched`, other: t`None of ${total} zones is watched` })
          : this.#app.isKnown
            ? t`No zones yet`
            : state.detail;
    return this.#top(state.title, detail, this.#chip(this.#app.report, state));
  }
  #top(title, detail, chip) {
    return describe(
      'header',
      {},
      describe(
        'div',
        { class: 'title-line' },
        describe('h1', { class: 'large-title grow' }, title),
        this.#app.offersSOS &&
          describe('button', { class: 'button', id: 'sos', onclick: () => callForHelp(this.#app) }, 'SOS'),
        describe(
          'a',
          { class: 'round', id: 'information', href: '#/about', 'aria-label': t`Help and about` },
          icon('info'),
        ),
      ),
      describe(
        'div',
        { class: 'state-line' },
        describe('p', { class: 'subhead grow', id: 'state-detail', 'aria-live': 'polite' }, detail),
        chip,
      ),
    );
  }

  /** The accuracy of the position. If there is none, the text beside it says why. */
  #chip({ armed, position }, state) {
    if (armed ? !position || state.obstacle : state.kind === 'ringing') return null;
    const age = position && this.#app.now - position.measured_ms;
    const [text, warns] = !armed
      ? [t`Paused`, false]
      : age > stale
        ? [words.ago(age / 1000), true]
        : position.accuracy_m === undefined
          ? [t`Exact`, false]
          : [`±${words.roughly(Math.max(1, position.accuracy_m))}`, position.accuracy_m > weak_m];
    return describe(
      'span',
      { class: `chip${warns ? ' warn' : ''}`, id: 'position-chip' },
      icon(warns ? 'warning' : 'position', { size: 18 }),
      describe('span', { class: 'number' }, text),
    );
  }

  /** The reason why nothing is watched, with a button to change that. */
  #obstacle({ obstacle }) {
    if (!hasCard(obstacle)) return null;
    const { why, detail, help, mend, more } = obstacle;
    return describe(
      'section',
      { class: 'trouble', id: 'obstacle', 'data-key': why, 'aria-label': t`What is in the way`, 'aria-live': 'polite' },
      icon('warning'),
      describe(
        'div',
        { class: 'grow' },
        describe('b', {}, detail),
        help && describe('span', {}, help),
        describe(
          'div',
          { class: 'mends' },
          mend?.href && describe('a', { class: 'button', href: mend.href }, mend.label),
          mend?.does &&
            describe(
              'button',
              {
                class: 'button',
                id: 'mend',
                onclick: () => mends[mend.does](this.#app),
              },
              mend.label,
            ),
          more && describe('a', { class: 'link', href: more.href }, more.label),
        ),
      ),
    );
  }

  /** Problems because of which alarms would not be heard or seen, each with a remedy (S32). */
  #troubles({ armed, refused_zones: refused }) {
    const silence = armed && this.#app.ringing?.isHeldBack && this.#silence();
    const told = this.#app.phoneTroubles.map(({ title, text }) => [title, text, '#/phone']);
    for (const { name, detail } of this.#app.packTroubles) told.push([name, detail, '#/collections']);
    if (armed && !phone && notifications.isRefused())
      told.push([
        t`Notifications are not allowed`,
        t`Alarms are seen and heard only while this page is in view. The site’s settings change that.`,
        '#/about/permissions',
      ]);
    if (refused.length)
      told.push([
        plural(refused.length, {
          one: t`${refused.length} zone cannot be watched`,
          other: t`${refused.length} zones cannot be watched`,
        }),
        t`The list of zones says why.`,
        '#/zones',
      ]);
    return [
      silence,
      ...told.map(([title, text, address]) =>
        describe(
          'a',
          { class: 'trouble', href: address, 'data-key': title },
          icon('warning'),
          describe('span', { class: 'grow' }, describe('b', {}, title), describe('span', {}, text)),
        ),
      ),
    ];
  }

  /** Requests of other people, each with a link to answer it. */
  #waiting() {
    return describe(
      'div',
      { class: 'waiting' },
      (this.#app.waiting ?? []).map(({ key, title, rings }) =>
        describe(
          'a',
          {
            class: 'card row welcome',
            href: '#/people',
            'data-key': key,
            style: rings ? { '--category': 'var(--alarm)' } : {},
          },
          describe('span', { class: rings ? 'tile' : 'tile quiet' }, icon(rings ? 'bell' : 'user')),
          describe('span', { class: 'grow' }, describe('span', { class: 'headline' }, title)),
          icon('forward', { size: 18 }),
        ),
      ),
    );
  }

  /** Touching the page anywhere has the same effect. */
  #silence() {
    return describe(
      'button',
      { type: 'button', class: 'trouble', id: 'hear', 'data-key': 'hear', onclick: () => sounds.unlock() },
      icon('warning'),
      describe(
        'span',
        { class: 'grow' },
        describe('b', {}, t`Tap once so that alarms can be heard`),
        describe('span', {}, t`After it is loaded, a page may neither sound nor vibrate until it is tapped.`),
      ),
    );
  }

  #hero({ armed, nearest: [first] }, { kind }) {
    // If nothing is watched, no distance is shown.
    const near = kind === 'watching' || kind === 'ringing' ? first : undefined;
    const away = near && near.distance_m > 0;
    const colour =
      { watching: 'var(--primary)', ringing: 'var(--alarm)', cannot_watch: 'var(--warn)' }[kind] ?? 'var(--off)';
    return describe(
      'div',
      { class: 'hero', 'data-state': kind },
      ring(near && armed ? near.closeness : 0, {
        radius: 136,
        width: kind === 'watching' || kind === 'ringing' ? 10 : 4,
        box: 288,
        colour,
        track: kind === 'cannot_watch' ? 100 : 16,
      }),
      describe(
        'button',
        {
          class: 'disc',
          id: 'activate',
          'aria-pressed': String(armed),
          onclick: () => (armed ? this.#deactivate() : this.#activate()),
        },
        icon(!armed ? 'bell-off' : kind === 'cannot_watch' ? 'warning' : 'bell', { size: 52 }),
        describe('span', {}, armed ? t`Deactivate` : t`Activate`),
      ),
      armed &&
        near &&
        describe(
          'a',
          {
            class: 'nearest',
            id: 'nearest',
            href: `#/map?zone=${near.id}`,
            'aria-label': [t`Nearest zone: ${near.name || t`A zone`}`, distance(near), entry(near)]
              .filter(Boolean)
              .join(', '),
          },
          away ? arrow(near.bearing_deg, 18) : icon('bell', { size: 18 }),
          describe('b', { class: 'number' }, away ? distance(near) : t`Inside`),
          describe('span', {}, away ? t`to ${near.name || t`A zone`}` : near.name || t`A zone`),
          away && entry(near) && describe('span', { class: 'number soon' }, soon(near)),
        ),
    );
  }

  async #activate() {
    navigator.vibrate?.(10);
    // Browsers allow sound and requests for permissions only within a tap.
    sounds.unlock(...new Set(this.#app.watched.map(({ sound }) => sound || sounds.standardSound())));
    const asked = notifications.permission() === 'default' ? notifications.ask() : undefined;
    await this.#press(() => this.#app.activate());
    await asked;
    this.#draw();
  }

  /** Draws the pressed button first, then runs the action. */
  async #press(run) {
    const button = this.querySelector('#activate');
    button?.setAttribute('aria-busy', 'true');
    await painted();
    try {
      await run();
    } finally {
      button?.removeAttribute('aria-busy');
    }
  }

  async #deactivate() {
    navigator.vibrate?.(10);
    await this.#press(() => this.#app.deactivate());
    snackbar(t`Alarms off`, { undo: () => this.#activate() });
  }

  #promise({ promise: said }) {
    if (!said) return null;
    return describe(
      'p',
      { class: `guarantee ${said.kind}`, id: 'guarantee' },
      icon(said.kind === 'guaranteed' ? 'shield' : 'warning', { size: 18 }),
      describe('span', {}, said.text),
    );
  }

  #nearby({ armed, nearest, state, position }, { kind, obstacle }) {
    if (obstacle?.why === 'no_zones') return describe('div');
    const age = position && this.#app.now - position.measured_ms;
    return describe(
      'section',
      { 'aria-label': t`Nearby` },
      headed(t`Nearby`),
      armed &&
        nearest.length > 0 &&
        age > stale &&
        describe('p', { class: 'footnote' }, t`As of the last position, ${words.ago(age / 1000)}.`),
      nearest.length
        ? describe(
            'ul',
            { class: 'card' },
            nearest.map((zone) => describe('li', { 'data-key': zone.id }, this.#row(zone, kind, state.guarantee))),
          )
        : describe(
            'p',
            { class: 'subhead' },
            armed ? t`Distances are shown as soon as there is a position.` : t`Activate to see how far your zones are.`,
          ),
    );
  }

  /** Reminders ring without zones too, and while alarms are off. */
  #reminders({ reminders, nearby }) {
    const active = reminders.filter(({ state }) => state === 'active');
    if (!active.length) return null;
    const near = new Set(nearby.map(({ id }) => id));
    const sorted = active.toSorted((a, b) => near.has(b.id) - near.has(a.id) || compareNames(a.title, b.title));
    return describe(
      'section',
      { 'aria-label': t`Reminders` },
      headed(t`Reminders`),
      describe(
        'ul',
        { class: 'card' },
        sorted
          .slice(0, mostReminders)
          .map(({ id, title, items, places }) =>
            describe(
              'li',
              { 'data-key': id },
              describe(
                'a',
                { class: 'row', href: near.has(id) ? '#/reminders/nearby' : `#/reminders/${id}` },
                describe('span', { class: 'tile quiet' }, icon('list')),
                describe(
                  'span',
                  { class: 'grow' },
                  describe('span', { class: 'headline name' }, title),
                  describe('span', { class: 'subhead' }, remindedOf(items, places)),
                ),
                near.has(id) && describe('span', { class: 'tag primary' }, t`Nearby`),
              ),
            ),
          ),
      ),
    );
  }

  /** A row of the list. The guarantee is shown once above, and in a row only if it differs there. */
  #row(zone, kind, said) {
    const differs = kind === 'watching' && promise(zone.guarantee) !== promise(said);
    const isWatched = kind === 'watching' || kind === 'ringing';
    const { picture, colour } = categoryLook(zone.category);
    const way = zone.distance_m > 0 && [
      describe('span', { class: 'toward' }, arrow(zone.bearing_deg, 14), words.compass(zone.bearing_deg)),
      isWatched && entry(zone) && describe('span', { class: 'soon' }, soon(zone)),
    ];
    return describe(
      'a',
      { class: 'row', href: `#/zones/${zone.id}`, style: { '--category': colour } },
      describe(
        'span',
        { class: 'small-ring' },
        ring(isWatched ? zone.closeness : 0, { radius: 21, width: 4, box: 48, colour }),
        icon(picture, { size: 22 }),
      ),
      describe(
        'span',
        { class: 'grow' },
        describe('span', { class: 'headline name' }, zone.name || t`A zone`),
        describe('span', { class: 'subhead' }, trigger(zone)),
        differs && describe('span', { class: 'footnote promise' }, promise(zone.guarantee)),
      ),
      describe(
        'span',
        { class: 'trailing' },
        zone.distance_m > 0
          ? sizedNumber(distance(zone), 'title-3')
          : describe('span', { class: 'title-3' }, distance(zone)),
        describe('span', { class: 'footnote way' }, way),
      ),
    );
  }

  /** Until it was done once: a trial of the alarm, and the setup of this device. */
  #welcome({ armed }) {
    if (!this.#isNew || armed) return null;
    const [zone] = this.#app.zones.values();
    return [
      zone &&
        describe(
          'button',
          { type: 'button', class: 'card row welcome', id: 'try', onclick: () => startTrial(this.#app, zone) },
          describe('span', { class: 'tile quiet' }, icon('sound')),
          describe(
            'span',
            { class: 'grow' },
            describe('span', { class: 'headline' }, t`Hear how it rings`),
            describe('span', { class: 'subhead' }, t`Plays the real alarm sound as a test`),
          ),
          icon('play', { size: 18 }),
        ),
      this.#setUp(),
    ];
  }
  #setUp() {
    return describe(
      'a',
      { class: 'card row welcome', id: 'welcome', href: '#/first-run' },
      describe('span', { class: 'tile quiet' }, icon('check')),
      describe(
        'span',
        { class: 'grow' },
        describe('span', { class: 'headline' }, t`Set up this device`),
        describe('span', { class: 'subhead' }, t`Position, messages, sound`),
      ),
      icon('forward', { size: 18 }),
    );
  }

  /** A note that the screen stays on, with its cost and the limits of a page. */
  #awake({ armed }) {
    const { wakeLock, settings } = this.#app;
    // An app watches whether or not its page is visible.
    if (!armed || phone) return null;
    const { battery } = wakeLock;
    const low = battery && !battery.charging && battery.percent <= 20;
    const cost = battery
      ? low
        ? t`Battery ${words.percent(battery.percent / 100)}: low, charge it soon`
        : t`Battery ${words.battery(battery.percent / 100, battery.charging)}`
      : t`This uses the battery`;
    return describe(
      'section',
      { 'aria-label': t`Screen` },
      describe('div', { class: 'section-title' }, describe('h2', { class: 'title-2' }, t`While this page is in view`)),
      describe(
        'div',
        { class: 'card' },
        describe(
          'label',
          { class: 'row low' },
          describe(
            'span',
            { class: 'grow' },
            describe('span', { class: 'headline' }, t`Keep the screen on`),
            describe(
              'span',
              { class: `subhead${low ? ' low-battery' : ''}` },
              wakeLock.isHeld
                ? t`On. ${cost}`
                : wakeLock.isWanted
                  ? t`The system does not allow this at the moment`
                  : t`Off: alarms pause when the screen does`,
            ),
          ),
          describe('button', {
            class: 'switch',
            role: 'switch',
            id: 'keep-awake',
            'aria-label': t`Keep the screen on`,
            'aria-checked': String(wakeLock.isWanted),
            onclick: () => this.#app.changeSettings({ keep_awake: settings.keep_awake === false }),
          }),
        ),
        describe(
          'button',
          { class: 'row low', id: 'dim', onclick: () => this.#app.dim() },
          describe(
            'span',
            { class: 'grow' },
            describe('span', { class: 'headline' }, t`Dim the screen`),
            describe('span', { class: 'subhead' }, t`Black, with the distance. Tap to leave`),
          ),
          icon('moon'),
        ),
        describe(
          'a',
          { class: 'row low', href: '#/pairing' },
          describe(
            'span',
            { class: 'grow' },
            describe('span', { class: 'headline' }, t`Background reporting`),
            describe('span', { class: 'subhead' }, t`A hidden page pauses. A phone app goes on`),
          ),
          icon('forward', { size: 18 }),
        ),
      ),
    );
  }
}

/** The expected time to the zone at the present speed; empty for a zone that does not ring then. */
const entry = ({ entry_s: seconds, state }) =>
  seconds === undefined || silent.has(state) ? '' : seconds < 1.5 ? t`any moment` : t`in about ${words.span(seconds)}`;
/** States of a zone that does not ring on entry. */
const silent = new Set(['asleep', 'acknowledged', 'off', 'closed', 'disarmed']);
/** The expected time in short, beside a distance and a name. */
const soon = ({ entry_s: seconds }) => `≈ ${words.span(Math.max(1, seconds))}`;

const hasCard = (obstacle) => Boolean(obstacle?.help || obstacle?.mend);

/** The distance to the edge of the zone. */
export const distance = (zone) => (zone.distance_m <= 0 ? t`inside` : words.length(zone.distance_m));

export function trigger(zone) {
  const when = {
    enter: t.meaning('a trigger')`Enter`,
    inside: t.meaning('a trigger')`Inside`,
    leave: t.meaning('a trigger')`Leave`,
    enter_leave: t.meaning('a trigger')`Enter and leave`,
    inside_leave: t.meaning('a trigger')`Enter and leave`,
    dwell: t.meaning('a trigger')`Stay`,
  }[zone.trigger];
  return zone.alert_m > 0 ? t`${when} · alerts at ${words.length(zone.alert_m)}` : when;
}

customElements.define('alarm-screen', AlarmScreen);
export const screen = AlarmScreen;
