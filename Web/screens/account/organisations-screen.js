// The parts of an account for organisations that publish zones: groups, collections, the key of signed packs.
// `#/organisations`.
import { h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { t } from '../../scripts/words/translate.js';
import { card, row } from '../../parts/layout.js';
import { packKey } from '../packs/pack-key.js';
import { signedInScreen } from './security-screen.js';

const quiet = (name) => h('span', { class: 'tile quiet' }, icon(name));

export const show = (app, outlet) =>
  signedInScreen(
    app,
    outlet,
    { title: t`For organisations`, detail: t`Zones and groups for many people` },
    (server) => [
      card(
        row({
          title: t`Publish zones`,
          detail: t`Only you can change them`,
          href: '#/collections',
          leading: quiet('area'),
        }),
        row({
          title: t`Groups that you manage`,
          detail: t`Give zones to many people in one step`,
          href: '#/groups',
          leading: quiet('people'),
        }),
      ),
      packKey(server),
    ],
  );
