import type { Context } from '../../context.ts';
import type { LeftOut } from '../../dotenv/usable.ts';

/** Names the variables that are not given: a line for each reason, since there may be many. */
export function listLeftOut(leftOut: readonly LeftOut[], { messages }: Context): void {
  for (const [why, names] of byReason(leftOut)) {
    const verb = names.length === 1 ? 'is' : 'are';
    messages.warn(`${names.join(', ')} ${verb} left out: ${why}`);
  }
}

function byReason(leftOut: readonly LeftOut[]): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const { name, why } of leftOut) {
    const names = reasons.get(why) ?? [];
    names.push(JSON.stringify(name));
    reasons.set(why, names);
  }
  return reasons;
}
