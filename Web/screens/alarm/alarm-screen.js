// One large button, whether alarms would ring, what is near, and what is promised.
import * as notifications from '../../scripts/alarm/notifications.js';
import { phone } from '../../scripts/device/phone-app.js';
import { h, update } from '../../scripts/page/dom.js';
import { categoryLook, icon } from '../../scripts/page/icons.js';
import { painted } from '../../scripts/page/painted.js';
import { ring } from '../../scripts/page/ring.js';
import * as sounds from '../../scripts/sounds/sounds.js';
import { promise } from '../../scripts/words/promises.js';
import { plural, t } from '../../scripts/words/translate.js';
import { watchWords } from '../../scripts/words/watch-words.js';
import * as words from '../../scripts/words/words.js';
import { tryAlarm } from '../../parts/trial-alarm.js';
import { placeFirst, sentence } from './place-first.js';
import { ringingCards } from '../../parts/ringing-cards.js';
import { snackbar } from '../../parts/snackbar.js';

/** A position older than that is told with its age, in ms. */
const stale = 60_000;
/** A coarser one is called weak. */
const weak_m = 50;

/** What the buttons that mend something do. */
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
    for (const name of ['change', 'settings']) this.#app.addEventListener(name, this.#drawSoon);
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
    for (const name of ['change', 'settings']) this.#app.removeEventListener(name, this.#drawSoon);
    this.#app.wakeLock.removeEventListener('change', this.#drawSoon);
    this.#app.ringing?.removeEventListener('change', this.#drawSoon);
    cancelAnimationFrame(this.#due);
    clearInterval(this.#clock);
  }

  /** One tap changes several things: they are drawn once, in the next frame. */
  #drawSoon = () => {
    this.#due ||= requestAnimationFrame(this.#draw);
  };
  #due = 0;

  #draw = () => {
    cancelAnimationFrame(this.#due);
    this.#due = 0;
    if (!this.isConnected) return;
    const { report } = this.#app;
    const state = watchWords(this.#app);
    if (!report.total && !report.armed && this.#app.isKnown) {
      update(
        this,
        this.#top('Proximity Alarm', sentence),
        h('div', { class: 'troubles' }, this.#troubles(report)),
        h('div', { class: 'going' }, ringingCards(this.#app)),
        placeFirst(),
        h('div', {}, this.#welcome(report)),
      );
      return;
    }
    update(
      this,
      this.#header(report, state),
      h('div', { class: 'troubles' }, this.#obstacle(state), this.#troubles(report)),
      h('div', { class: 'going' }, state.kind === 'ringing' && ringingCards(this.#app)),
      this.#hero(report, state),
      h('div', { class: 'guarantee-line' }, this.#promise(state)),
      h('div', { class: 'going' }, state.kind !== 'ringing' && ringingCards(this.#app)),
      this.#nearby(report, state),
      h('div', {}, this.#welcome(report)),
      this.#awake(report),
    );
  };

  #header({ total }, state) {
    // The reason has a card of its own below.
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
    return h(
      'header',
      {},
      h(
        'div',
        { class: 'title-line' },
        h('h1', { class: 'large-title grow' }, title),
        h('a', { class: 'round', id: 'information', href: '#/about', 'aria-label': t`Help and about` }, icon('info')),
      ),
      h(
        'div',
        { class: 'state-line' },
        h('p', { class: 'subhead grow', id: 'state-detail', 'aria-live': 'polite' }, detail),
        chip,
      ),
    );
  }

  /** How good the position is; why there is none is said in words beside it. */
  #chip({ armed, position }, state) {
    if (armed && (!position || state.obstacle)) return null;
    const age = position && this.#app.now - position.measured_ms;
    const [text, warns] = !armed
      ? [t`Paused`, false]
      : age > stale
        ? [words.ago(age / 1000), true]
        : position.accuracy_m === undefined
          ? [t`Exact`, false]
          : [`±${words.roughly(Math.max(1, position.accuracy_m))}`, position.accuracy_m > weak_m];
    return h(
      'span',
      { class: `chip${warns ? ' warn' : ''}`, id: 'position-chip' },
      icon(warns ? 'warning' : 'position', { size: 18 }),
      h('span', { class: 'number' }, text),
    );
  }

  /** Why nothing is watched, and the button that mends it. */
  #obstacle({ obstacle }) {
    if (!hasCard(obstacle)) return null;
    const { why, detail, help, mend, more } = obstacle;
    return h(
      'section',
      { class: 'trouble', id: 'obstacle', 'data-key': why, 'aria-label': t`What is in the way`, 'aria-live': 'polite' },
      icon('warning'),
      h(
        'div',
        { class: 'grow' },
        h('b', {}, detail),
        help && h('span', {}, help),
        h(
          'div',
          { class: 'mends' },
          mend?.href && h('a', { class: 'button', href: mend.href }, mend.label),
          mend?.does &&
            h(
              'button',
              {
                class: 'button',
                id: 'mend',
                onclick: () => mends[mend.does](this.#app),
              },
              mend.label,
            ),
          more && h('a', { class: 'link', href: more.href }, more.label),
        ),
      ),
    );
  }

  /** What keeps alarms from being heard or seen, with what to do about it (S32). */
  #troubles({ armed, refused_zones: refused }) {
    const told = this.#app.phoneTroubles.map(({ title, text }) => [title, text, '#/phone']);
    for (const { name, detail } of this.#app.packTroubles) told.push([name, detail, '#/collections']);
    if (armed && !phone && notifications.permission() === 'denied')
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
    return told.map(([title, text, address]) =>
      h(
        'a',
        { class: 'trouble', href: address, 'data-key': title },
        icon('warning'),
        h('span', { class: 'grow' }, h('b', {}, title), h('span', {}, text)),
      ),
    );
  }

  #hero({ armed, nearest: [first] }, { kind }) {
    // Where nothing is watched, nothing comes nearer.
    const near = kind === 'watching' || kind === 'ringing' ? first : undefined;
    const away = near && near.distance_m > 0;
    const colour =
      { watching: 'var(--primary)', ringing: 'var(--alarm)', cannot_watch: 'var(--warn)' }[kind] ?? 'var(--off)';
    return h(
      'div',
      { class: 'hero', 'data-state': kind },
      ring(near && armed ? near.closeness : 0, {
        radius: 136,
        width: kind === 'watching' || kind === 'ringing' ? 10 : 4,
        box: 288,
        colour,
        track: kind === 'cannot_watch' ? 100 : 16,
      }),
      h(
        'button',
        {
          class: 'disc',
          id: 'activate',
          'aria-pressed': String(armed),
          onclick: () => (armed ? this.#deactivate() : this.#activate()),
        },
        icon(!armed ? 'bell-off' : kind === 'cannot_watch' ? 'warning' : 'bell', { size: 52 }),
        h('span', {}, armed ? t`Deactivate` : t`Activate`),
      ),
      armed &&
        near &&
        h(
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
          h('b', { class: 'number' }, away ? distance(near) : t`Inside`),
          h('span', {}, away ? t`to ${near.name || t`A zone`}` : near.name || t`A zone`),
          away && entry(near) && h('span', { class: 'number soon' }, entry(near)),
        ),
    );
  }

  async #activate() {
    navigator.vibrate?.(10);
    // The tap is what lets sound out, and lets permissions be asked.
    sounds.unlock(...new Set(this.#app.watched.map(({ sound }) => sound || sounds.standardSound())));
    const asked = notifications.permission() === 'default' ? notifications.ask() : undefined;
    await this.#press(() => this.#app.activate());
    await asked;
    this.#draw();
  }

  /** The button is seen to be pressed, and what it means is done right after. */
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
    return h(
      'p',
      { class: `guarantee ${said.kind}`, id: 'guarantee' },
      icon(said.kind === 'guaranteed' ? 'shield' : 'warning', { size: 18 }),
      h('span', {}, said.text),
    );
  }

  #nearby({ armed, nearest, state, position }, { kind, obstacle }) {
    if (obstacle?.why === 'no_zones') return h('div');
    const age = position && this.#app.now - position.measured_ms;
    return h(
      'section',
      { 'aria-label': t`Nearby` },
      h(
        'div',
        { class: 'section-title' },
        h('h2', { class: 'title-2' }, t`Nearby`),
        h('a', { class: 'link', href: '#/reminders' }, t`All reminders`),
      ),
      armed &&
        nearest.length > 0 &&
        age > stale &&
        h('p', { class: 'footnote' }, t`As of the last position, ${words.ago(age / 1000)}.`),
      nearest.length
        ? h(
            'ul',
            { class: 'card' },
            nearest.map((zone) => h('li', { 'data-key': zone.id }, this.#row(zone, kind, state.guarantee))),
          )
        : h(
            'p',
            { class: 'subhead' },
            armed ? t`Distances are shown as soon as there is a position.` : t`Activate to see how far your zones are.`,
          ),
    );
  }

  /** What is promised is said once, above; again only of zones of which it is something else. */
  #row(zone, kind, said) {
    const differs = kind === 'watching' && promise(zone.guarantee) !== promise(said);
    const isWatched = kind === 'watching' || kind === 'ringing';
    const { picture, colour } = categoryLook(zone.category);
    const way = zone.distance_m > 0 && [
      h('span', { class: 'toward' }, arrow(zone.bearing_deg, 14), words.compass(zone.bearing_deg)),
      isWatched && entry(zone) && h('span', { class: 'soon' }, `· ${entry(zone)}`),
    ];
    return h(
      'a',
      { class: 'row', href: `#/zones/${zone.id}`, style: { '--category': colour } },
      h(
        'span',
        { class: 'small-ring' },
        ring(isWatched ? zone.closeness : 0, { radius: 21, width: 4, box: 48, colour }),
        icon(picture, { size: 22 }),
      ),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline' }, zone.name || t`A zone`),
        h('span', { class: 'subhead' }, trigger(zone)),
        differs && h('span', { class: 'footnote promise' }, promise(zone.guarantee)),
      ),
      h(
        'span',
        { class: 'trailing' },
        h('span', { class: 'title-3 number' }, distance(zone)),
        h('span', { class: 'footnote way' }, way),
      ),
    );
  }

  /** Until it was done once: how a zone will ring, and what this device needs to wake somebody. */
  #welcome({ armed }) {
    if (!this.#isNew || armed) return null;
    const [zone] = this.#app.zones.values();
    return [
      zone &&
        h(
          'button',
          { type: 'button', class: 'card row welcome', id: 'try', onclick: () => tryAlarm(this.#app, zone) },
          h('span', { class: 'tile quiet' }, icon('sound')),
          h(
            'span',
            { class: 'grow' },
            h('span', { class: 'headline' }, t`Hear how it rings`),
            h('span', { class: 'subhead' }, t`Plays the real alarm sound as a test`),
          ),
          icon('play', { size: 18 }),
        ),
      this.#setUp(),
    ];
  }
  #setUp() {
    return h(
      'a',
      { class: 'card row welcome', id: 'welcome', href: '#/first-run' },
      h('span', { class: 'tile quiet' }, icon('check')),
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline' }, t`Set up this device`),
        h('span', { class: 'subhead' }, t`Position, messages, sound`),
      ),
      icon('forward', { size: 18 }),
    );
  }

  /** That the screen stays on, what it costs, and what a page cannot do. */
  #awake({ armed }) {
    const { wakeLock, settings } = this.#app;
    // An app watches whether its page is in view or not.
    if (!armed || phone) return null;
    const { battery } = wakeLock;
    const low = battery && !battery.charging && battery.percent <= 20;
    const cost = battery
      ? low
        ? t`Battery ${words.percent(battery.percent / 100)}: low, charge it soon`
        : t`Battery ${words.battery(battery.percent / 100, battery.charging)}`
      : t`This uses the battery`;
    return h(
      'section',
      { 'aria-label': t`Screen` },
      h('div', { class: 'section-title' }, h('h2', { class: 'title-2' }, t`While this page is in view`)),
      h(
        'div',
        { class: 'card' },
        h(
          'label',
          { class: 'row low' },
          h(
            'span',
            { class: 'grow' },
            h('span', { class: 'headline' }, t`Keep the screen on`),
            h(
              'span',
              { class: `subhead${low ? ' low-battery' : ''}` },
              wakeLock.isHeld
                ? t`On. ${cost}`
                : wakeLock.isWanted
                  ? t`The system does not allow it now`
                  : t`Off: alarms pause when the screen does`,
            ),
          ),
          h('button', {
            class: 'switch',
            role: 'switch',
            id: 'keep-awake',
            'aria-label': t`Keep the screen on`,
            'aria-checked': String(wakeLock.isWanted),
            onclick: () => this.#app.changeSettings({ keep_awake: settings.keep_awake === false }),
          }),
        ),
        h(
          'button',
          { class: 'row low', id: 'dim', onclick: () => this.#app.dim() },
          h(
            'span',
            { class: 'grow' },
            h('span', { class: 'headline' }, t`Dim the screen`),
            h('span', { class: 'subhead' }, t`Black, with the distance; a tap ends it`),
          ),
          icon('moon'),
        ),
        h(
          'a',
          { class: 'row low', href: '#/pairing' },
          h(
            'span',
            { class: 'grow' },
            h('span', { class: 'headline' }, t`In the background`),
            h('span', { class: 'subhead' }, t`A page sleeps when hidden. A phone app need not`),
          ),
          icon('forward', { size: 18 }),
        ),
      ),
    );
  }
}

/** When one will be there, going on like this. */
const entry = ({ entry_s: seconds }) =>
  seconds === undefined ? '' : seconds < 1.5 ? t`any moment` : t`in about ${words.span(seconds)}`;

const hasCard = (obstacle) => Boolean(obstacle?.help || obstacle?.mend);

/** How far it is to the zone's edge. */
export const distance = (zone) => (zone.distance_m <= 0 ? t`inside` : words.length(zone.distance_m));

export function trigger(zone) {
  const when = {
    enter: t.meaning('a trigger')`Enter`,
    inside: t.meaning('a trigger')`Inside`,
    leave: t.meaning('a trigger')`Leave`,
    dwell: t.meaning('a trigger')`Stay`,
  }[zone.trigger];
  return zone.alert_m > 0 ? t`${when} · alerts at ${words.length(zone.alert_m)}` : when;
}

function arrow(degrees, size) {
  const element = icon('arrow', { size });
  element.style.transform = `rotate(${Math.round(degrees)}deg)`;
  return element;
}

customElements.define('alarm-screen', AlarmScreen);
export const screen = AlarmScreen;
