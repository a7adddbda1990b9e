// A server with the streets of an invented city, and a browser.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Browser } from './Browser.mjs';
import { inventedCity } from './InventedCity.mjs';
import { LiveServer, run } from './LiveServer.mjs';
import { place, Story } from './Story.mjs';

/** @returns {Promise<Story>} the city's center is `place(0)` */
export async function cityServer() {
  const story = new Story();
  const { latitude, longitude } = place(0);
  const [browser, server] = await Promise.all([
    Browser.launch({ map: true }),
    LiveServer.start({
      prepare: async (data) => {
        const file = join(await mkdtemp(join(tmpdir(), 'city-')), 'city.osm');
        await writeFile(file, inventedCity({ middle: [latitude, longitude], blocks: 16 }));
        await run('map', 'import', file, '--data', data);
        await rm(dirname(file), { recursive: true });
      },
    }),
  ]);
  return Object.assign(story, { browser, server });
}
