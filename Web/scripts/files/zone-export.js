// Zones for other programs, such as maps and geographic information systems. The program's own writers make the file, in the
// module that reads such files.
import { loadFileModule } from './file-module.js';

/** The zones of one request. Large ones take a few milliseconds. */
const portion = 100;

/**
 * @param {object[]} forms
 * @param {'geojson'|'kml'} format
 * @returns {Promise<{parts: Uint8Array[], leftOut: number}>} the bytes of the file, and how many of the zones cannot be used
 */
export async function exported(forms, format) {
  const engine = await loadFileModule();
  const parts = [];
  let leftOut = 0;
  for (let from = 0, first = { format }; from === 0 || from < forms.length; from += portion, first = {}) {
    const zones = forms.slice(from, from + portion);
    const answer = engine.ask('write_zones', { zones, last: from + portion >= forms.length, ...first });
    parts.push(answer.bytes);
    leftOut += answer.left_out;
    // The page responds between two portions.
    await new Promise((done) => {
      setTimeout(done, 0);
    });
  }
  return { parts, leftOut };
}
