// Counts a person's actions on a phone: a tap, a field that is filled in and a choice from a list each count as one.
import assert from 'node:assert/strict';
import { chooseOption } from './Devices.mjs';

export class Taps {
  /** The actions in words, in order. */
  done = [];
  #page;

  /** @param {import('./Browser.mjs').Page} page */
  constructor(page) {
    this.#page = page;
  }

  async tap(selector, text) {
    this.done.push(text ?? selector);
    await this.#page.tap(selector, text);
  }
  async touch(at) {
    this.done.push(`the map at ${at}`);
    await this.#page.touch([at]);
  }
  /** A tap in the field, and typing. */
  async type(selector, text) {
    this.done.push(`“${text}”`);
    await this.#page.type(selector, text);
  }
  async press(key) {
    this.done.push(key);
    await this.#page.press(key);
  }
  async choose(selector, label) {
    this.done.push(label);
    await chooseOption(this.#page, selector, label);
  }

  /** The end of a task. @param {number} most the most actions allowed */
  within(most, story) {
    const said = `${story}: ${this.done.length} of ${most} taps: ${this.done.join(' · ')}`;
    if (process.env.SHOTS) console.log(said);
    assert.ok(this.done.length <= most, said);
  }
}
