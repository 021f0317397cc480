import type { Context } from '../../context.ts';
import type { OmittedVariable } from '../../dotenv/usable.ts';

/** Warns of omitted variables: a line for each reason, since there may be many. */
export function warnOmitted(omitted: readonly OmittedVariable[], { messages }: Context): void {
  for (const [reason, names] of byReason(omitted)) {
    const verb = names.length === 1 ? 'is' : 'are';
    messages.warn(`${names.join(', ')} ${verb} left out: ${reason}`);
  }
}

function byReason(omitted: readonly OmittedVariable[]): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of omitted) {
    const names = reasons.get(reason) ?? [];
    names.push(JSON.stringify(name));
    reasons.set(reason, names);
  }
  return reasons;
}
