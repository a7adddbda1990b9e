// The problems of a zone that is being edited, in words, and a flag for those that prevent saving.
import { ended } from '../../scripts/words/sentence.js';
import { plural, t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';
import * as zoneWords from '../../scripts/words/zone-words.js';

/** The number of parts before the inset is applied. */
const ownPieces = (form) => (form.outline === 'area' ? form.parts.length : 1);

/**
 * @param {import('./zone-draft.js').ZoneDraft} draft @returns {[string, boolean]} the text; true if the zone cannot be saved
 */
export function findings(draft) {
  const { drawing, places, form, missing } = draft;
  if (drawing.crossings?.length) {
    // An edge is named by the points that it joins.
    const edge = (index) => `${index + 1}-${draft.next(index) + 1}`;
    const [[first, second], ...others] = drawing.crossings;
    const [one, other] = [edge(first), edge(second)];
    return [
      others.length
        ? plural(others.length, {
            one: t`Edge ${one} crosses edge ${other}, and ${others.length} more pair. Move a point so that no edges cross.`,
            other: t`Edge ${one} crosses edge ${other}, and ${others.length} more pairs. Move a point so that no edges cross.`,
          })
        : t`Edge ${one} crosses edge ${other}. Move a point so that no edges cross.`,
      true,
    ];
  }
  if (drawing.field) return [`${drawing.field.replace(/_.*/, '')}: ${drawing.why.replaceAll('_', ' ')}`, true];
  if (drawing.problem && (places.length > 0 || drawing.problem !== 'no_locations'))
    return [ended(zoneWords.why(drawing.problem)), true];
  if (missing && places.length)
    return [t`An area needs at least three points: ${words.count(missing, 'point')} more.`, false];
  if (drawing.never) return [t`Can never ring: shrunk this much, nothing of it is left.`, false];
  if (form.inset_m > 0 && drawing.pieces > ownPieces(form))
    return [t`Shrunk this much, it falls into ${drawing.pieces} pieces. All of them count.`, false];
  return ['', false];
}

/** The next step that a tap on the map can make. */
export function hint({ places, missing, isLoose, wish }) {
  if (places.length === 0) return missing ? t`Tap the first of three points` : t`Tap where it should ring`;
  if (missing)
    return plural(missing, {
      one: t`Tap the map ${missing} more time: an area has three points`,
      other: t`Tap the map ${missing} more times: an area has three points`,
    });
  if (wish === 'area') return t`Tap to add · drag to move`;
  return isLoose ? t`Tap to move · drag the edge to resize` : t`Hold to add · drag to move`;
}
