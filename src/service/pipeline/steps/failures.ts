/** Reads `retry` and `soft_fail`. */
import {
  signalReasons as reasonsOfAgents,
  plainCommand,
  type AutomaticRetry,
  type RetryRules,
  type SoftFail,
} from '../plan.ts';
import { checkKeys, type Keys } from '../keys.ts';
import { flag, invalid, isNull, number, optionalText, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, SourcePosition, Value } from '../value.ts';

const retryKeys: Keys = { name: '`retry`', run: ['automatic', 'manual'] };
const ruleKeys: Keys = {
  name: 'an `automatic` rule',
  run: ['exit_status', 'signal', 'signal_reason', 'limit'],
};
const manualKeys: Keys = { name: '`manual`', run: ['allowed', 'permit_on_passed', 'reason'] };
const signalReasons = ['*', 'none', ...reasonsOfAgents.toSorted()];
const maxRetries = 10;
const anyFailure: AutomaticRetry = { exitStatus: '*', signal: null, signalReason: null, limit: 2 };

export function readRetry(reading: Reading, entry: Entry | undefined): RetryRules {
  if (entry === undefined || isNull(entry.value)) return plainCommand.retry;
  if (entry.value.kind !== 'mapping') {
    reading.problem(entry.value.at, '`retry` must have `automatic` or `manual`');
    return plainCommand.retry;
  }
  checkKeys(reading, entry.value, retryKeys);
  return {
    automatic: readAutomatic(reading, entry.value.entries.get('automatic')),
    manual: readManual(reading, entry.value.entries.get('manual')),
  };
}

/** Reads `automatic`: `true`, `false`, a rule or a list of rules. */
function readAutomatic(reading: Reading, entry: Entry | undefined): AutomaticRetry[] {
  if (entry === undefined || isNull(entry.value)) return [];
  if (entry.value.kind === 'scalar') return flag(reading, entry, false) ? [anyFailure] : [];
  const rules = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  return rules.flatMap((rule) => readRule(reading, rule));
}

function readRule(reading: Reading, rule: Value): AutomaticRetry[] {
  if (rule.kind !== 'mapping') {
    reading.problem(rule.at, 'an `automatic` rule must be a mapping such as `exit_status: 1`');
    return [];
  }
  checkKeys(reading, rule, ruleKeys);
  const status = rule.entries.get('exit_status');
  const limit = readLimit(reading, rule.entries.get('limit'));
  return [
    {
      exitStatus: status && !isNull(status.value) ? readStatuses(reading, status) : '*',
      signal: readSignal(reading, rule),
      signalReason: readSignalReason(reading, rule),
      limit: limit ?? anyFailure.limit,
    },
  ];
}

function readLimit(reading: Reading, entry: Entry | undefined): number | null {
  const count = number(reading, entry, { min: 0, max: maxRetries });
  if (entry === undefined || count === null || Number.isInteger(count)) return count;
  return invalid(reading, entry.value, `\`${entry.key}\` must be a whole number`, null);
}

/** Reads one name or a list of names. Returns null if the entry is missing. */
function readNames(
  reading: Reading,
  entry: Entry | undefined,
  read: (word: string, at: SourcePosition) => string | null,
): string | readonly string[] | null {
  if (entry === undefined || isNull(entry.value)) return null;
  const { value } = entry;
  const nameOf = (one: Value): string | null => {
    const word = text(reading, one, `\`${entry.key}\``);
    return one.kind === 'scalar' ? read(word, one.at) : null;
  };
  if (value.kind !== 'list') return nameOf(value);
  return value.items.flatMap((one) => nameOf(one) ?? []);
}

/** Returns names in lower case and without SIG, because `SIGKILL` and `kill` mean the same. */
function readSignal(reading: Reading, rule: Mapping): AutomaticRetry['signal'] {
  return readNames(reading, rule.entries.get('signal'), (word, at) => {
    const signal = word.toLowerCase().replace(/^sig/, '');
    if (/^(\*|[a-z][a-z0-9+-]*)$/.test(signal)) return signal;
    reading.problem(at, `\`${word}\` is not a signal; use \`SIGTERM\`, \`none\` or \`*\``);
    return null;
  });
}

function readSignalReason(reading: Reading, rule: Mapping): AutomaticRetry['signalReason'] {
  return readNames(reading, rule.entries.get('signal_reason'), (word, at) => {
    if (signalReasons.includes(word)) return word;
    reading.problem(at, `\`signal_reason\` must be one of ${signalReasons.join(', ')}`);
    return null;
  });
}

/** Reads `manual`: `true`, `false`, or `{allowed, permit_on_passed, reason}`. */
function readManual(reading: Reading, entry: Entry | undefined): RetryRules['manual'] {
  const usual = plainCommand.retry.manual;
  if (entry === undefined || isNull(entry.value)) return usual;
  if (entry.value.kind === 'scalar') return { ...usual, allowed: flag(reading, entry, true) };
  if (entry.value.kind === 'list') {
    text(reading, entry.value, '`manual`');
    return usual;
  }
  checkKeys(reading, entry.value, manualKeys);
  const { entries } = entry.value;
  return {
    allowed: flag(reading, entries.get('allowed'), usual.allowed),
    permitOnPassed: flag(reading, entries.get('permit_on_passed'), usual.permitOnPassed),
    reason: optionalText(reading, entries.get('reason')),
  };
}

/** Reads `soft_fail`: a boolean or a list of `{exit_status: N}`; `*` matches any status. */
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
  return invalid(reading, rule, 'a `soft_fail` entry must be `exit_status: N`', []);
}

function readStatuses(reading: Reading, { value }: Entry): '*' | readonly number[] {
  const values = value.kind === 'list' ? value.items : [value];
  const statuses = values.flatMap((one): ('*' | number)[] => {
    const word = text(reading, one, '`exit_status`');
    if (word === '*') return ['*'];
    if (/^(-1|\d{1,3})$/.test(word) && Number(word) <= 255) return [Number(word)];
    return invalid(reading, one, '`exit_status` must be a number from -1 to 255, or `*`', []);
  });
  return statuses.includes('*') ? '*' : statuses.filter((one) => one !== '*');
}
