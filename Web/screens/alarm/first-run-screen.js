// The permissions and settings that this device needs, one at a time, each with its reason (S32). Nothing is requested before a
// tap.
import { ask as askNotifications } from '../../scripts/alarm/notifications.js';
import { checks, system } from '../../scripts/device/device-help.js';
import { askPosition, isInstalled, permission } from '../../scripts/device/permissions.js';
import { go } from '../../scripts/page/address.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { play, standardSound, stop, unlock } from '../../scripts/sounds/sounds.js';
import { t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';

await styles('first-run');

export function show(app, outlet) {
  const pane = h('div', { class: 'pane first-run' });
  outlet.append(pane);
  new FirstRun(app, pane).show(0);
  return stop;
}

class FirstRun {
  #app;
  #pane;
  #steps = [welcome, position, notifications, sound, ready];
  #now = 0;

  constructor(app, pane) {
    this.#app = app;
    this.#pane = pane;
  }

  async show(index) {
    stop();
    this.#now = index;
    const step = await this.#steps[index]({
      app: this.#app,
      next: () => this.next(),
      draw: (more) => this.#draw(step, more),
    });
    this.#draw(step);
  }

  async next() {
    if (this.#now + 1 < this.#steps.length) return this.show(this.#now + 1);
    await this.#app.storage.keep('first_run', true);
    go('/');
  }

  /** @param {{picture, title, text, action, skip?, said?, list?}} step `more` replaces some of its members */
  #draw(step, more = {}) {
    const { picture, title, text, action, skip, said, list, second } = { ...step, ...more };
    const last = this.#steps.length - 1;
    fill(
      this.#pane,
      h(
        'div',
        { class: 'steps', role: 'img', 'aria-label': t`Step ${this.#now + 1} of ${last + 1}` },
        this.#steps.map((_, index) => h('i', { class: index <= this.#now ? 'done' : null })),
      ),
      h(
        'div',
        { class: 'step' },
        h('span', { class: 'step-picture' }, icon(picture, { size: 56 })),
        h('h1', { class: 'title-1', id: 'step-title', tabindex: -1 }, title),
        text.map((line) => h('p', {}, line)),
        said &&
          h(
            'p',
            { class: `said ${said.kind}`, role: 'status' },
            icon(said.kind === 'good' ? 'check' : 'info'),
            said.text,
          ),
        list &&
          h(
            'div',
            { class: 'checks' },
            h('h2', { class: 'headline' }, t`What to check`),
            h(
              'ul',
              {},
              list.map((line) => h('li', {}, line)),
            ),
          ),
      ),
      h(
        'div',
        { class: 'step-ways' },
        h(
          'button',
          { type: 'button', class: 'button primary tall wide', id: 'step-action', onclick: action.run },
          action.label,
        ),
        second &&
          h(
            'button',
            { type: 'button', class: 'button tall wide', id: 'step-second', onclick: second.run },
            second.label,
          ),
        skip &&
          h(
            'button',
            { type: 'button', class: 'button plain wide', id: 'step-skip', onclick: () => this.next() },
            skip,
          ),
      ),
    );
    this.#pane.querySelector('#step-title').focus({ preventScroll: true });
  }
}

const welcome = ({ app, next }) => ({
  picture: 'bell',
  title: t`An alarm clock for places`,
  text: [
    t`Draw a zone. When you come too near, it rings. It needs no account and no network, and what it knows of you stays
      on this device.`,
    t`Three things first: where you are, how to reach you, and whether you hear it.`,
  ],
  action: { label: t`Begin`, run: next },
  second: {
    label: t`Later`,
    run: async () => {
      await app.storage.keep('first_run', true);
      go('/');
    },
  },
});

async function position({ next, draw }) {
  const onward = { action: { label: t`Continue`, run: next }, skip: undefined };
  const good = (accuracy) => ({
    ...onward,
    said: {
      kind: 'good',
      text: accuracy ? t`Your position is known to within ${words.length(accuracy)}.` : t`Your position may be used.`,
    },
  });
  const denied = {
    ...onward,
    said: { kind: 'bad', text: t`The browser does not give your position. Without it nothing can ring.` },
    list: checks('position'),
  };
  // No setting of the browser or the system helps here.
  const unencrypted = {
    ...onward,
    said: { kind: 'bad', text: t`Without an encrypted connection the browser gives no positions.` },
    list: [
      t`Open this page by an address that begins with https://. The operator of the server can set one up.`,
      t`For alarms in the pocket, set up background reporting: People › Background reporting.`,
    ],
  };
  const state = await permission('geolocation');
  return {
    picture: 'position',
    title: t`Where you are`,
    text: [
      t`Every alarm is about where you are: without your position there is none. It is used here, on this device, while
        the page is in view, and sent nowhere.`,
    ],
    action: {
      label: t`Allow position`,
      run: async () => {
        const { state: given, position: found } = await askPosition();
        draw(
          given === 'granted'
            ? good(found.coords.accuracy)
            : given === 'denied'
              ? denied
              : {
                  ...onward,
                  said: {
                    kind: 'bad',
                    text:
                      given === 'later'
                        ? t`Allowed, but there is no reception just now.`
                        : t`This browser cannot find your position.`,
                  },
                  list: checks('position'),
                },
        );
      },
    },
    skip: t`Not now`,
    ...(!isSecureContext ? unencrypted : state === 'granted' ? good() : state === 'denied' ? denied : {}),
  };
}

async function notifications({ next, draw }) {
  const onward = { action: { label: t`Continue`, run: next }, skip: undefined };
  const known = {
    granted: { ...onward, said: { kind: 'good', text: t`Notifications are allowed.` } },
    denied: {
      ...onward,
      said: { kind: 'bad', text: t`Notifications are blocked. Alarms still show and sound while the page is in view.` },
      list: checks('notification'),
    },
    unavailable: {
      ...onward,
      said: {
        kind: 'bad',
        text:
          system() === 'ios' && !isInstalled()
            ? t`Add the page to the Home Screen first: Share › Add to Home Screen.`
            : t`This browser has no notifications.`,
      },
      list: checks('notification'),
    },
  };
  return {
    picture: 'message',
    title: t`How to reach you`,
    text: [
      t`A notification shows an alarm, with Stop and Sleep, when you are looking at something else. Nothing else is
        ever notified: no news, no offers.`,
    ],
    action: {
      label: t`Allow notifications`,
      run: async () =>
        draw(
          known[await askNotifications()] ?? {
            said: { kind: 'bad', text: t`Not decided. You can allow it later.` },
            action: onward.action,
          },
        ),
    },
    skip: t`Not now`,
    ...known[await permission('notifications')],
  };
}

function sound({ next, draw }) {
  const heard = {
    second: {
      label: t`I hear nothing`,
      run: () =>
        draw({
          ...asked,
          list: [...checks('sound'), ...checks('vibration')],
          said: { kind: 'bad', text: t`A page cannot turn the volume up, or see that it is down.` },
        }),
    },
  };
  const asked = { action: { label: t`I hear it`, run: next }, ...heard, skip: undefined };
  const listen = async () => {
    unlock();
    navigator.vibrate?.([400, 200, 400]);
    const { name } = await play(standardSound(), { loop: true });
    draw({
      ...asked,
      said: {
        kind: 'good',
        text: navigator.vibrate
          ? t`${name} plays until you answer, and the device has vibrated if it can.`
          : t`${name} plays until you answer.`,
      },
    });
  };
  return {
    picture: 'sound',
    title: t`Test the alarm sound`,
    text: [
      t`This is what an alarm sounds like. Turn the volume up until it would wake you. Sound, vibration and
        notifications can each be switched off in the system; this page cannot change that.`,
    ],
    action: { label: t`Play the alarm`, run: listen },
    skip: t`Not now`,
  };
}

function ready({ next }) {
  const install = isInstalled()
    ? []
    : [
        system() === 'ios'
          ? t`Put it on the Home Screen, and it opens like an app: Share › Add to Home Screen.`
          : t`Install it from the browser’s menu, and it opens like an app.`,
      ];
  return {
    picture: 'shield',
    title: t`What a page cannot do`,
    text: [
      t`The page works only while it is visible. With the screen locked, or another app in front, it gets no
        position. So it keeps the screen on while alarms are on; mind the battery.`,
      t`For alarms in the pocket, set up background reporting: People › Background reporting.`,
      ...install,
      t`Use it at your own risk: it is an aid and does not replace your attention.`,
    ],
    action: { label: t`Start`, run: next },
  };
}
