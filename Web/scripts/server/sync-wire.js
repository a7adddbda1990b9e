// Conversion of records between the formats of the server's API and the engine.
import { fromBase64URL, toBase64URL } from './base64url.js';

const time = ([ms, counter, node]) => ({ time: new Date(ms).toISOString(), counter, node });

/** A record for `POST /api/v1/sync`. */
export const toWire = (id, { fields, deleted_at: deleted }) => ({
  id,
  fields: fields.map(({ field, value, at }) => ({ field, value: toBase64URL(value), edited_at: time(at) })),
  deleted_at: deleted ? time(deleted) : null,
});

const list = ({ time: text, counter, node }) => [Date.parse(text), counter, node];

export const fromWire = ({ fields, deleted_at: deleted }) => ({
  fields: fields.map(({ field, value, edited_at: at }) => ({ field, value: fromBase64URL(value), at: list(at) })),
  deleted_at: deleted ? list(deleted) : undefined,
});
