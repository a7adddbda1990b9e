// What a person does on a phone, counted: a tap, a field that is typed in and a choice from a list each count one.
import assert from 'node:assert/strict';
import { chooseOption } from './Devices.mjs';

export class Taps {
  /** In words, in their order. */
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
  /** A finger in the field, and the keys. */
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

  /** Where a story ends. @param {number} most taps it may take */
  within(most, story) {
    const said = `${story}: ${this.done.length} of ${most} taps: ${this.done.join(' · ')}`;
    if (process.env.SHOTS) console.log(said);
    assert.ok(this.done.length <= most, said);
  }
}
