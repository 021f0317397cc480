import type { CommandStep } from '../plan.ts';

/**
 * The label of one of the jobs of `parallelism`: `%n` is its number from 0, `%N` from 1, `%t` how many
 * there are.
 */
export function numberLabel(
  label: string | null,
  parallel: CommandStep['parallel'],
): string | null {
  if (label === null || parallel === null) return label;
  const numbers: Record<string, number> = {
    '%n': parallel.index,
    '%N': parallel.index + 1,
    '%t': parallel.total,
  };
  return label.replace(/%[nNt]/g, (mark) => String(numbers[mark]));
}
