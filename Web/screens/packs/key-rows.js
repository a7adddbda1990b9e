// The key that signs a pack, in the form in which followers and publishers compare it.
import { row } from '../../parts/layout.js';
import { t } from '../../scripts/words/translate.js';
import { day } from '../../scripts/words/words.js';

/** @param {{keyID: string, changes?: {changed_ms: number}[]}} head packs stored by an older version have no `changes` */
export const keyRows = ({ keyID, changes = [] }) => [
  row({ title: t`Key`, detail: keyID, low: true }),
  changes.length > 0 &&
    row({ title: t`The publisher changed the key`, trailing: day(changes.at(-1).changed_ms), low: true }),
];
