import { text, type Reading } from '../reading.ts';
import type { Entry } from '../value.ts';

/** `exit_status` of a rule: a number, a list of them, or `*` for any. */
export function readStatuses(reading: Reading, { value }: Entry): '*' | readonly number[] {
  const values = value.kind === 'list' ? value.items : [value];
  const statuses = values.flatMap((one): ('*' | number)[] => {
    const word = text(reading, one, '`exit_status`');
    if (word === '*') return ['*'];
    if (/^(-1|\d{1,3})$/.test(word) && Number(word) <= 255) return [Number(word)];
    reading.problem(one.at, '`exit_status` must be a number from -1 to 255, or `*`');
    return [];
  });
  return statuses.includes('*') ? '*' : statuses.filter((one) => one !== '*');
}
