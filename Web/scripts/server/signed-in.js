// Work beside the screens: files that are handed over and, for people with an account, sync and the account's events. Begun
// once, when the first screen is there.
import { PhoneAlarms } from '../alarm/phone-alarms.js';
import { listen } from '../files/files.js';
import { packsOf } from '../packs/followed-packs.js';
import { Live } from './live.js';
import { Reconnect } from './reconnect.js';
import { serverOf } from './server.js';
import { syncOf } from './sync.js';
import { announce } from './waiting.js';
import { t } from '../words/translate.js';
import { snackbar } from '../../parts/snackbar.js';

let sealed;
/** The sealed messages; their code is loaded when somebody is signed in. */
export function sealedOf(app) {
  sealed ??= Promise.all([import('../sealed/sealed.js'), liveOf(app)]).then(([{ Sealed }, stream]) => {
    const found = new Sealed(app, serverOf(app), stream);
    app.ringing.attend(found);
    found.addEventListener('lost', ({ detail }) =>
      snackbar(t`A browser of ${detail} could not be told of the alarm.`, { seconds: 60 }),
    );
    return found;
  });
  return sealed;
}

let live;
/** The stream of the account's events while the page is in view. */
export function liveOf(app) {
  live ??= syncOf(app).then((sync) => new Live(serverOf(app), sync));
  return live;
}

export async function attend(app) {
  listen(app, (text) => snackbar(text, { seconds: 15 })).catch((error) => console.error(error));
  document.documentElement.dataset.attends = '';
  packsOf(app)
    .begin()
    .catch((error) => console.error(error));
  const [sync, stream] = await Promise.all([syncOf(app), liveOf(app)]);
  app.addEventListener('pushed', () => sync.soon());
  const server = serverOf(app);
  new Reconnect(server, sync, stream);
  app.ringing.attend(new PhoneAlarms(app, server, stream));
  announce(app, server, stream);
  const seal = () => {
    if (!server.signedIn) return;
    server.removeEventListener('change', seal);
    sealedOf(app)
      .then((found) => found.now())
      .catch((error) => console.error(error));
  };
  server.addEventListener('change', seal);
  // A call for help goes through the account's channels; a private account gives the server no places.
  const offerSOS = () => {
    app.offersSOS = server.signedIn && !server.account?.is_private;
    app.dispatchEvent(new Event('account'));
    if (server.signedIn || app.checkInCard)
      import('../../screens/alarm/check-in-card.js')
        .then(({ begin }) => begin(app, server, stream))
        .catch((error) => console.error(error));
  };
  server.addEventListener('change', offerSOS);
  await server.begin();
  seal();
}
