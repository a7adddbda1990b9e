// Proposes a message when zones ring: one text for all recipients, one tap (S98, S99).
import { smsLink } from '../scripts/messages/sms.js';
import { h } from '../scripts/page/dom.js';
import { icon } from '../scripts/page/icons.js';
import { styles } from '../scripts/page/styles.js';
import { snackbar } from './snackbar.js';
import { t } from '../scripts/words/translate.js';
import * as words from '../scripts/words/words.js';

/** The messages of all ringing zones, merged by the engine; null if they have none. */
export function messageProposal(app) {
  const proposal = app.ask('propose');
  if (!proposal.text) return null;
  styles('messages');
  const names = proposal.addressees.map(({ name, number }) => name || number);
  return h(
    'section',
    { class: 'proposal', 'aria-label': t`Message` },
    h('p', { class: 'proposal-text' }, icon('message'), h('span', {}, proposal.text)),
    h(
      'div',
      { class: 'proposal-ways' },
      h(
        'a',
        { class: 'button primary', href: smsLink(proposal), 'data-key': 'send-message' },
        icon('message'),
        names.length ? t`Message to ${listed(names)}` : t`Message`,
      ),
      otherWay(proposal),
    ),
  );
}

/** A way to send the text without a messaging application: the system's share sheet, or the clipboard. */
function otherWay({ text }) {
  if (navigator.share) {
    return h(
      'button',
      {
        type: 'button',
        class: 'round',
        'aria-label': t`Send it another way`,
        onclick: () => navigator.share({ text }).catch(() => {}),
      },
      icon('share'),
    );
  }
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => snackbar(t`Message copied`),
      () => snackbar(t`The browser does not let the text be copied.`),
    );
  return h('button', { type: 'button', class: 'button', onclick: copy }, t`Copy`);
}

/** "Ann", "Ann and Ben", "Ann, Ben and 2 more". */
function listed(names) {
  if (names.length < 3) return words.listed(names);
  return t`${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}
