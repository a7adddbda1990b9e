// Reads Proximity Alarm Data beside the page, so that people are not kept waiting by a large file (S142). The same engine,
// in a thread of its own.
import { Engine } from './engine.js';

const engine = Engine.load(fetch(new URL('../engine.wasm', import.meta.url)));

onmessage = async ({ data: bytes }) => {
  try { postMessage({ answer: (await engine).ask('read_pad', { bytes }) }); } catch (error) { postMessage({ problem: error.message }); }
};
