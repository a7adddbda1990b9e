// The channels that a call for help goes to first.
import { list } from '../../scripts/words/locale.js';
import { t } from '../../scripts/words/translate.js';

/** @param {string} kind the kind of the notice */
export async function whoIsTold(server, kind) {
  const { items } = await server.ask('GET', '/channels');
  const active = items.filter(
    ({ is_active: isActive, awaits_confirmation: isUnconfirmed, rule }) =>
      isActive && !isUnconfirmed && (!rule.kinds.length || rule.kinds.includes(kind)),
  );
  const step = Math.min(...active.map((channel) => channel.escalation_step));
  const names = active.filter((channel) => channel.escalation_step === step).map(({ name }) => name);
  return names.length
    ? t`Told first: ${list(names)}.`
    : t`Nobody is told yet: only devices with this page open ring. Add a channel under Account.`;
}
