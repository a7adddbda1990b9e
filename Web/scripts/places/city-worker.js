// Reads the list of cities and searches it in a thread of its own: reading takes a second on a slow phone.
import { CityIndex } from './city-index.js';

const index = load();
// A search waits for it and tells its problem.
index.catch(() => {});

async function load() {
  const response = await fetch(new URL('../../places/cities.txt', import.meta.url));
  if (!response.ok) throw new Error(`the answer is ${response.status}`);
  return new CityIndex(await response.arrayBuffer());
}

onmessage = async ({ data: { number, typed, how } }) => {
  try {
    postMessage({ number, cities: (await index).search(typed, how) });
  } catch (error) {
    postMessage({ number, problem: error.message });
  }
};
