import type { Step, Group, WaitStep } from '../plan.ts';
import { isNull, type Reading, aliased, text, flag } from '../reading.ts';
import type { SourcePosition, Value, Mapping, Scalar, Entry } from '../value.ts';
import { type StepContext, readBase, readLabel } from './base.ts';
import {
  checkKeys,
  blockKeys,
  commandKeys,
  groupKeys,
  inputKeys,
  triggerKeys,
  waitKeys,
  type Keys,
} from '../keys.ts';
import { suggest } from '../../../common/suggest.ts';
import { readBlock } from './block.ts';
import { readCommand } from './command.ts';
import { readOmitted } from './omitted.ts';
import { readTrigger } from './trigger.ts';

export interface StepList {
  /** Where it is missing. */
  readonly at: SourcePosition;
  readonly of: 'the pipeline' | 'the group';
  readonly mayBeEmpty?: boolean;
  readonly context: StepContext;
}

/** Entries of a pipeline; more are not read. */
const maxSteps = 10_000;

/** The jobs of a list of steps, in the order of the file. */
export function readSteps(
  reading: Reading,
  list: Value | undefined,
  { at, of, mayBeEmpty = false, context }: StepList,
): readonly Step[] {
  if (list !== undefined && list.kind !== 'list' && !isNull(list)) {
    reading.problem(list.at, '`steps` must be a list');
    return [];
  }
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

// One entry of `steps` -> its jobs.

/** None, with its problems reported, where it cannot be run. */
function readStep(reading: Reading, value: Value, context: StepContext): readonly Step[] {
  if (value.kind === 'mapping')
    return readMapping(readingOf(reading, value, context), value, context);
  if (value.kind === 'scalar') return readWord(reading, value, context);
  reading.problem(value.at, 'a step must be a mapping, `wait`, `block` or `input`');
  return [];
}

/** What is wrong with a step that does not run is only a notice. */
function readingOf(reading: Reading, step: Mapping, { judge, group }: StepContext): Reading {
  const isCovered = group !== null && group.omitted !== null;
  if (!judge.knowsBuild || isCovered || readOmitted(reading, step, judge) === null) return reading;
  const problem: Reading['problem'] = (at, text) =>
    reading.notice(at, `${text} (ignored, because the step does not run)`);
  return { ...reading, problem };
}

function readWord(reading: Reading, value: Scalar, context: StepContext): readonly Step[] {
  if (isNull(value)) {
    reading.problem(value.at, 'the step is empty; write `command: …`');
    return [];
  }
  const word = value.text;
  const kind = kindOfWord(word);
  if (kind !== undefined)
    return readKind(reading, kind, { ...value, kind: 'mapping', entries: new Map() }, context);
  const close = suggest(word, ['wait', 'block', 'input']);
  const hint = close === undefined ? `write \`command: …\`` : `did you mean \`${close}\`?`;
  reading.problem(value.at, `\`${word}\` is no step; ${hint}`);
  return [];
}

function readMapping(reading: Reading, step: Mapping, context: StepContext): readonly Step[] {
  const kind = kindOf(reading, step);
  if (kind === undefined) {
    // What depends on it is not wrong as well, and the rest of it may be.
    const likely = likelyStep(step);
    readKind(reading, likely.kind, likely.step, context);
    return [];
  }
  const named = kindEntry(step);
  // `wait: {key: x}` says the same as `{wait: null, key: x}`.
  const isWhole = named?.value.kind !== 'mapping' || step.entries.size > 1 || kind === 'group';
  const whole = isWhole ? step : named.value;
  checkKeys(reading, whole, keysOf[kind]);
  return readKind(reading, kind, whole, context);
}

function readKind(
  reading: Reading,
  kind: Kind,
  step: Mapping,
  context: StepContext,
): readonly Step[] {
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

// Groups: their steps, each with the group around it.

/** A group in a group is refused, and its steps are read all the same for what is wrong in them. */
function readGroup(reading: Reading, step: Mapping, context: StepContext): readonly Step[] {
  if (context.group !== null) reading.problem(step.at, 'a group cannot stand in a group');
  const label = readLabel(reading, step, aliased(reading, step, ['group']));
  const base = readBase(reading, step, 'group', label, context);
  const group: Group = {
    definition: base.definition,
    key: base.key,
    label,
    dependsOn:
      base.dependsOn &&
      base.dependsOn.map((one) => ({
        ...one,
        allowFailure: one.allowFailure || base.allowDependencyFailure,
      })),
  };
  const steps = step.entries.get('steps');
  return readSteps(reading, steps?.value, {
    at: steps?.at ?? step.at,
    of: 'the group',
    context: { ...context, group: { group, omitted: base.omitted } },
  });
}

// Which kind a step is: by the key that names it, or by `type`.

type Kind = Step['type'] | 'group';

/** The keys that decide the kind, and the words of `type`. */
const kinds: Readonly<Record<string, Kind>> = {
  command: 'command',
  commands: 'command',
  script: 'command',
  plugins: 'command',
  wait: 'wait',
  waiter: 'wait',
  block: 'block',
  manual: 'block',
  input: 'input',
  trigger: 'trigger',
  group: 'group',
};

const keysOf: Readonly<Record<Kind, Keys>> = {
  command: commandKeys,
  wait: waitKeys,
  block: blockKeys,
  input: inputKeys,
  trigger: triggerKeys,
  group: groupKeys,
};

/** The kind of a step that is one word; undefined for one that takes more. */
const kindOfWord = (word: string): 'wait' | 'block' | 'input' | undefined => {
  const kind = Object.hasOwn(kinds, word) ? kinds[word] : undefined;
  return kind === 'wait' || kind === 'block' || kind === 'input' ? kind : undefined;
};

/** The entry that names the kind; undefined where `type` does. */
const kindEntry = (step: Mapping) =>
  [...step.entries.values()].find(({ key }) => Object.hasOwn(kinds, key) && key !== 'plugins');

/** Undefined, with its problems and its unknown keys reported, where it is none or more than one. */
function kindOf(reading: Reading, step: Mapping): Kind | undefined {
  const kind = findKind(reading, step);
  if (kind === undefined) checkKeys(reading, step, anyKeys());
  return kind;
}

function findKind(reading: Reading, step: Mapping): Kind | undefined {
  const type = step.entries.get('type');
  const keys = [...step.entries.keys()].filter((key) => Object.hasOwn(kinds, key));
  const found = new Set(keys.map((key) => kinds[key]));
  if (found.size > 1) {
    const all = keys.map((key) => `\`${key}\``).join(' and ');
    reading.problem(step.at, `a step cannot have ${all} together`);
    return;
  }
  const named = type && text(reading, type.value, '`type`');
  const known = named !== undefined && Object.hasOwn(kinds, named) ? kinds[named] : undefined;
  if (type !== undefined && (known === undefined || (found.size > 0 && !found.has(known)))) {
    const hint = known === undefined ? reading.didYouMean(named ?? '', Object.keys(kinds)) : '';
    reading.problem(type.value.at, `\`type: ${named ?? ''}\` does not fit this step${hint}`);
    return;
  }
  const kind = known ?? [...found][0];
  if (kind === undefined) reportUnknown(reading, step);
  return kind;
}

/** The keys of steps of any kind. */
function anyKeys(): Keys {
  const all = Object.values(keysOf);
  const run = all.flatMap((one) => one.run);
  const shown = Object.assign({}, ...all.map((one) => one.shown)) as Keys['shown'];
  return { name: 'a step', run, shown };
}

/** Neither kind nor `type`: if a key is misspelled, that problem is enough. */
function reportUnknown(reading: Reading, step: Mapping): void {
  const { run, shown } = anyKeys();
  const accepted = new Set([...run, ...Object.keys(shown)]);
  const isReported = reading.allowsUnknownKeys !== true;
  if (isReported && [...step.entries.keys()].some((key) => !accepted.has(key))) return;
  const needs = '`command`, `plugins`, `wait`, `block`, `input`, `trigger` or `group`';
  reading.problem(step.at, `a step needs ${needs}`);
}

// What a step that is refused was most likely meant to be, so that its other mistakes are reported.

interface LikelyStep {
  readonly kind: Kind;
  /** Less what says another kind. */
  readonly step: Mapping;
}

/** What has steps is a group; what says nothing, or `command` among others, is a command. */
function likelyStep(step: Mapping): LikelyStep {
  const entries = [...step.entries.values()].filter(({ key }) => key !== 'type');
  const named = entries.filter(({ key }) => Object.hasOwn(kinds, key));
  const command = named.find(({ key }) => kinds[key] === 'command');
  const first = command ?? named[0] ?? misspelled(entries);
  const kind = step.entries.has('steps') ? 'group' : (kinds[first?.key ?? ''] ?? 'command');
  const others = entries.filter(({ key }) => (kinds[key] ?? kind) === kind);
  const all = kind === 'command' ? [commandOf(step, first), ...others] : others;
  const own = new Map(all.map((entry) => [entry.key, entry]));
  return { kind, step: { ...step, entries: own } };
}

/** `comand: x`, as what it was to be. */
function misspelled(entries: readonly Entry[]): Entry | undefined {
  for (const entry of entries) {
    const key = suggest(entry.key, Object.keys(kinds));
    if (key !== undefined && !Object.hasOwn(kinds, entry.key)) return { ...entry, key };
  }
  return undefined;
}

/** That it has no command is not wrong as well. */
const commandOf = ({ at }: Mapping, first: Entry | undefined): Entry =>
  first !== undefined && kinds[first.key] === 'command'
    ? first
    : {
        key: 'command',
        at,
        value: { kind: 'scalar', at, text: ':', isNull: false, anchored: false },
      };

// Wait steps.

function readWait(reading: Reading, step: Mapping, context: StepContext): WaitStep {
  const label = readLabel(reading, step, aliased(reading, step, ['wait', 'waiter']));
  return {
    ...readBase(reading, step, 'gate', label, context),
    type: 'wait',
    continueOnFailure: flag(reading, step.entries.get('continue_on_failure'), false),
  };
}
