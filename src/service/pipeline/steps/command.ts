/** Command steps. */
import { plainCommand, type CommandStep, type SoftFail } from '../plan.ts';
import { aliased, isNull, number, script, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, Value } from '../value.ts';
import { readVariables } from '../variables.ts';
import { readKey, readLabel } from './key-and-label.ts';
import { readAgents } from './agents.ts';
import type { Inherited } from './step.ts';

/** Longest timeout: a timer of Node takes up to 2^31 ms. */
const maxMinutes = 35_000;

export function readCommand(reading: Reading, step: Mapping, inherited: Inherited): CommandStep {
  const env = new Map<string, string>();
  readVariables(reading, step.entries.get('env'), (name, value) => env.set(name, value));
  const agents = step.entries.get('agents');
  return {
    ...plainCommand,
    definition: 0,
    key: readKey(reading, step),
    label: readLabel(reading, step),
    line: step.at.line,
    command: readScript(reading, step),
    env: Object.fromEntries(env),
    softFail: readSoftFail(reading, step.entries.get('soft_fail')),
    timeoutInMinutes: readTimeout(reading, step.entries.get('timeout_in_minutes')),
    agentQueryRules: agents ? readAgents(reading, agents) : inherited.agentQueryRules,
  };
}

function readScript(reading: Reading, step: Mapping): string {
  const entry = aliased(reading, step, ['command', 'commands']);
  const lines = entry === undefined ? [] : linesOf(entry.value);
  const whole = lines.map((line) => script(reading, line, 'a command')).join('\n');
  const isEmpty = whole.trim() === '' && lines.every(({ kind }) => kind === 'scalar');
  if (isEmpty) reading.problem(entry?.at ?? step.at, 'the step has no command to run');
  return whole;
}

const linesOf = (value: Value): readonly Value[] =>
  value.kind === 'list' ? value.items : isNull(value) ? [] : [value];

function readTimeout(reading: Reading, entry: Entry | undefined): number | null {
  const minutes = number(reading, entry, { min: 0, max: maxMinutes });
  if (minutes !== 0) return minutes;
  if (entry) reading.problem(entry.value.at, '`timeout_in_minutes` must be more than 0');
  return null;
}

/** `true`, `false`, or a list of `{exit_status: N}`, where `*` stands for any. */
function readSoftFail(reading: Reading, entry: Entry | undefined): SoftFail {
  if (entry === undefined || isNull(entry.value)) return false;
  if (entry.value.kind === 'scalar') {
    const word = text(reading, entry.value, '`soft_fail`');
    if (/^(true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  }
  if (entry.value.kind === 'list') {
    const statuses = entry.value.items.flatMap((item) => readStatus(reading, item));
    return statuses.includes('*') || statuses.filter((one) => one !== '*');
  }
  reading.problem(entry.value.at, '`soft_fail` must be true, false or a list of `exit_status`');
  return false;
}

function readStatus(reading: Reading, item: Value): ('*' | number)[] {
  const entry = item.kind === 'mapping' ? item.entries.get('exit_status') : undefined;
  if (item.kind !== 'mapping' || entry === undefined || item.entries.size > 1) {
    reading.problem(item.at, 'an entry of `soft_fail` must be `exit_status: N`');
    return [];
  }
  return linesOf(entry.value).flatMap((value): ('*' | number)[] => {
    const word = text(reading, value, '`exit_status`');
    if (word === '*') return ['*'];
    if (/^(-1|\d{1,3})$/.test(word) && Number(word) <= 255) return [Number(word)];
    reading.problem(value.at, '`exit_status` must be a number from -1 to 255, or `*`');
    return [];
  });
}
