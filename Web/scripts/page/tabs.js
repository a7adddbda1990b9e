// Keeps the open tabs of one browser in agreement: a person's action in one of them applies to all.
import { packsOf } from '../packs/followed-packs.js';

const channelName = 'proximity';

export function joinTabs(app) {
  const channel = new BroadcastChannel(channelName);
  const tell = (what) => channel.postMessage(what);
  app.addEventListener('command', ({ detail }) => tell({ type: 'command', ...detail }));
  let ids = [];
  app.addEventListener('zones', ({ detail }) => {
    if (detail.adopted) return;
    ids = ids.concat(detail.ids);
    if (detail.more) return;
    tell({ type: 'zones', ids });
    ids = [];
  });
  // Adopted settings are not sent on: their event names no change.
  app.addEventListener('settings', ({ detail }) => {
    if (Object.keys(detail).length) tell({ type: 'settings' });
  });
  app.addEventListener('packs', () => tell({ type: 'packs' }));
  channel.addEventListener('message', ({ data }) => adopt(app, data).catch((error) => console.error(error)));
}

async function adopt(app, { type, ids, command, zone, until_ms: until }) {
  if (type === 'command') app.adopt(command, { zone, until });
  if (type === 'zones') await app.adoptZones(ids);
  if (type === 'settings') await app.adoptSettings();
  if (type === 'packs') await packsOf(app).adopt();
}
