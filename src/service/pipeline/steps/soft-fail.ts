import type { SoftFail } from '../plan.ts';
import { isNull, text, type Reading } from '../reading.ts';
import type { Entry, Value } from '../value.ts';
import { readStatuses } from './exit-status.ts';

/** `true`, `false`, or a list of `{exit_status: N}`, where `*` stands for any. */
export function readSoftFail(reading: Reading, entry: Entry | undefined): SoftFail {
  if (entry === undefined || isNull(entry.value)) return false;
  if (entry.value.kind === 'scalar') {
    const word = text(reading, entry.value, '`soft_fail`');
    if (/^(true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  } else {
    const rules = entry.value.kind === 'list' ? entry.value.items : [entry.value];
    const statuses = rules.map((rule) => readForgiven(reading, rule));
    return statuses.includes('*') || statuses.flatMap((one) => (one === '*' ? [] : one));
  }
  reading.problem(entry.value.at, '`soft_fail` must be true, false or a list of `exit_status`');
  return false;
}

function readForgiven(reading: Reading, rule: Value): '*' | readonly number[] {
  const entry = rule.kind === 'mapping' ? rule.entries.get('exit_status') : undefined;
  if (rule.kind === 'mapping' && entry !== undefined && rule.entries.size === 1)
    return readStatuses(reading, entry);
  reading.problem(rule.at, 'an entry of `soft_fail` must be `exit_status: N`');
  return [];
}
