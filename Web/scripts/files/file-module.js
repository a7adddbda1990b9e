// The module that reads and writes files of other programs (`FileEngine`), loaded with the first of them.
import { Engine } from '../engine/engine.js';

/** @returns {Promise<Engine>} one with a state of its own */
export const loadFileModule = () => Engine.load(fetch(new URL('../../files.wasm', import.meta.url)));
