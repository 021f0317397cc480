import type { Process } from './processes.ts';

/**
 * Ids of the processes that are chosen, and of all that descend from them: a child that has lost
 * every mark is still its parent's. Those that wait to be reaped are left out.
 */
export function withDescendants(
  all: readonly Process[],
  isChosen: (one: Process) => boolean,
): number[] {
  const living = all.filter(({ isDead }) => !isDead);
  const found = new Set(living.filter(isChosen).map(({ id }) => id));
  for (let before = -1; found.size > before;) {
    before = found.size;
    for (const { id, parent } of living) if (found.has(parent)) found.add(id);
  }
  return [...found];
}
