import type { Step, Group, WaitStep } from '../plan.ts';
import { isNull, type Reading, aliased, flag, invalid, text } from '../reading.ts';
import type { SourcePosition, Value, Mapping, Scalar, Entry } from '../value.ts';
import { readBase, readLabel, type StepContext } from './base.ts';
import {
  checkKeys,
  blockKeys,
  commandKeys,
  groupKeys,
  inputKeys,
  triggerKeys,
  waitKeys,
  type KindKeys,
} from '../keys.ts';
import { suggest } from '../../../common/suggest.ts';
import { readBlock } from './block.ts';
import { readCommand } from './command.ts';
import { readOmitted } from './omitted.ts';
import { readTrigger } from './trigger.ts';

export interface StepList {
  /** Position to report if the list is missing. */
  readonly at: SourcePosition;
  readonly of: 'the pipeline' | 'the group';
  readonly mayBeEmpty?: boolean;
  readonly context: StepContext;
}

const maxSteps = 10_000;

export function readSteps(
  reading: Reading,
  list: Value | undefined,
  { at, of, mayBeEmpty = false, context }: StepList,
): readonly Step[] {
  if (list !== undefined && list.kind !== 'list' && !isNull(list))
    return invalid(reading, list, '`steps` must be a list', []);
  const values = list?.kind === 'list' ? list.items : [];
  if (values.length === 0 && !mayBeEmpty) reading.problem(at, `${of} has no steps`);
  const steps: Step[] = [];
  for (const value of values) {
    if (context.nodes.length >= maxSteps) {
      reading.problem(value.at, `the pipeline has more than ${maxSteps} steps`);
      break;
    }
    for (const step of readStep(reading, value, context)) steps.push(step);
  }
  return steps;
}

/** Returns the jobs of a step. If the step is invalid, reports its problems and returns none. */
function readStep(reading: Reading, value: Value, context: StepContext): readonly Step[] {
  if (value.kind === 'mapping')
    return readMapping(readingOf(reading, value, context), value, context);
  if (value.kind === 'scalar') return readWord(reading, value, context);
  return invalid(reading, value, 'a step must be a mapping, `wait`, `block` or `input`', []);
}

/** Turns the problems of an omitted step into notices. */
function readingOf(reading: Reading, step: Mapping, { build, group }: StepContext): Reading {
  const isCovered = group !== null && group.omitted !== null;
  if (build.facts === undefined || isCovered || readOmitted(reading, step, build) === null)
    return reading;
  const problem: Reading['problem'] = (at, text) =>
    reading.notice(at, `${text} (ignored, because the step does not run)`);
  return { ...reading, problem };
}

function readWord(reading: Reading, value: Scalar, context: StepContext): readonly Step[] {
  if (isNull(value)) return invalid(reading, value, 'the step is empty; write `command: …`', []);
  const word = value.text;
  const kind = kinds.get(word);
  if (kind === 'wait' || kind === 'block' || kind === 'input')
    return readKind(reading, kind, { ...value, kind: 'mapping', entries: new Map() }, context);
  const close = suggest(word, ['wait', 'block', 'input']);
  const hint = close === undefined ? `write \`command: …\`` : `did you mean \`${close}\`?`;
  return invalid(reading, value, `\`${word}\` is not a step; ${hint}`, []);
}

function readMapping(reading: Reading, step: Mapping, context: StepContext): readonly Step[] {
  const kind = kindOf(reading, step);
  if (kind === undefined) {
    checkKeys(reading, step, anyKeys());
    // Parses the step anyway, to report its other problems and to register its key.
    const likely = likelyStep(step);
    readKind(reading, likely.kind, likely.step, context);
    return [];
  }
  const named = [...step.entries.values()].find(({ key }) => kinds.has(key) && key !== 'plugins');
  // `wait: {key: x}` is the same as `{wait: null, key: x}`.
  const isWhole = named?.value.kind !== 'mapping' || step.entries.size > 1 || kind === 'group';
  const whole = isWhole ? step : named.value;
  checkKeys(reading, whole, keysOf[kind]);
  return readKind(reading, kind, whole, context);
}

function readKind(reading: Reading, kind: Kind, step: Mapping, context: StepContext) {
  switch (kind) {
    case 'command':
      return readCommand(reading, step, context);
    case 'wait':
      return [readWait(reading, step, context)];
    case 'block':
    case 'input':
      return [readBlock(reading, step, kind, context)];
    case 'trigger':
      return [readTrigger(reading, step, context)];
    case 'group':
      return readGroup(reading, step, context);
  }
}

function readWait(reading: Reading, step: Mapping, context: StepContext): WaitStep {
  const label = readLabel(reading, step, aliased(reading, step, ['wait', 'waiter']));
  return {
    ...readBase(reading, step, 'gate', label, context),
    type: 'wait',
    continueOnFailure: flag(reading, step.entries.get('continue_on_failure'), false),
  };
}

/** A nested group is invalid, but its steps are still read to report their problems. */
function readGroup(reading: Reading, step: Mapping, context: StepContext): readonly Step[] {
  if (context.group !== null) reading.problem(step.at, 'a group cannot contain another group');
  const label = readLabel(reading, step, aliased(reading, step, ['group']));
  const base = readBase(reading, step, 'group', label, context);
  const { definition, key, dependsOn, allowDependencyFailure } = base;
  const group: Group = {
    ...{ definition, key, label },
    dependsOn:
      dependsOn &&
      dependsOn.map((one) => ({
        ...one,
        allowFailure: one.allowFailure || allowDependencyFailure,
      })),
  };
  const steps = step.entries.get('steps');
  return readSteps(reading, steps?.value, {
    at: steps?.at ?? step.at,
    of: 'the group',
    context: { ...context, group: { group, omitted: base.omitted } },
  });
}

type Kind = Step['type'] | 'group';

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['command', 'command'],
  ['commands', 'command'],
  ['script', 'command'],
  ['plugins', 'command'],
  ['wait', 'wait'],
  ['waiter', 'wait'],
  ['block', 'block'],
  ['manual', 'block'],
  ['input', 'input'],
  ['trigger', 'trigger'],
  ['group', 'group'],
]);

export const keysOf: Readonly<Record<Kind, KindKeys>> = {
  command: commandKeys,
  wait: waitKeys,
  block: blockKeys,
  input: inputKeys,
  trigger: triggerKeys,
  group: groupKeys,
};

function anyKeys(): KindKeys {
  const all = Object.values(keysOf);
  const shown = Object.assign({}, ...all.map((one) => one.shown)) as KindKeys['shown'];
  return { name: 'a step', run: all.flatMap((one) => one.run), shown };
}

/** Returns the kind of step. Reports a problem if no kind or several kinds match. */
function kindOf(reading: Reading, { at, entries }: Mapping): Kind | undefined {
  const type = entries.get('type');
  const keys = [...entries.keys()].filter((key) => kinds.has(key));
  const found = new Set(keys.map((key) => kinds.get(key)));
  if (found.size > 1) {
    const all = keys.map((key) => `\`${key}\``).join(' and ');
    invalid(reading, { at }, `a step cannot have ${all} together`, undefined);
    return;
  }
  const [kind] = found;
  if (type !== undefined) {
    const name = text(reading, type.value, '`type`');
    const named = kinds.get(name);
    if (named !== undefined && (kind === undefined || kind === named)) return named;
    const hint = named === undefined ? reading.didYouMean(name, kinds.keys()) : '';
    const problem = `\`type: ${name}\` does not match this step${hint}`;
    reading.problem(type.value.at, problem);
    return;
  }
  if (kind === undefined) reportKindless(reading, { at, entries });
  return kind;
}

/** Reports nothing if the step has an unknown key, because that was already reported. */
function reportKindless(reading: Reading, { at, entries }: Pick<Mapping, 'at' | 'entries'>): void {
  const { run, shown } = anyKeys();
  const known = new Set([...run, ...Object.keys(shown)]);
  const isReported = reading.allowsUnknownKeys !== true;
  if (isReported && [...entries.keys()].some((key) => !known.has(key))) return;
  const needs = '`command`, `plugins`, `wait`, `block`, `input`, `trigger` or `group`';
  reading.problem(at, `a step needs ${needs}`);
}

/** Guesses the kind of an invalid step, and drops the keys of other kinds. */
function likelyStep(step: Mapping): { readonly kind: Kind; readonly step: Mapping } {
  const entries = [...step.entries.values()].filter(({ key }) => key !== 'type');
  const named = entries.filter(({ key }) => kinds.has(key));
  const command = named.find(({ key }) => kinds.get(key) === 'command');
  const first = command ?? named[0] ?? misspelled(entries);
  const kind = step.entries.has('steps') ? 'group' : (kinds.get(first?.key ?? '') ?? 'command');
  const others = entries.filter(({ key }) => (kinds.get(key) ?? kind) === kind);
  const all = kind === 'command' ? [commandOf(step, first), ...others] : others;
  return { kind, step: { ...step, entries: new Map(all.map((entry) => [entry.key, entry])) } };
}

/** Returns the first misspelled entry with its key corrected: `command` for `comand`. */
function misspelled(entries: readonly Entry[]): Entry | undefined {
  for (const entry of entries) {
    const key = suggest(entry.key, [...kinds.keys()]);
    if (key !== undefined && !kinds.has(entry.key)) return { ...entry, key };
  }
  return undefined;
}

/** Adds a harmless command if there is none, to avoid a second error about the missing command. */
function commandOf({ at }: Mapping, first: Entry | undefined): Entry {
  if (first !== undefined && kinds.get(first.key) === 'command') return first;
  const value = { kind: 'scalar', at, text: ':', isNull: false, anchored: false } as const;
  return { key: 'command', at, value };
}
