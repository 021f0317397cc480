import type { Step, Group } from '../plan.ts';
import { isNull, type Reading, aliased } from '../reading.ts';
import type { SourcePosition, Value, Mapping, Scalar } from '../value.ts';
import type { StepContext } from './context.ts';
import { checkKeys } from '../keys.ts';
import { suggest } from '../../../common/suggest.ts';
import { readBlock } from './block.ts';
import { readCommand } from './command.ts';
import { keysOf, kindEntry, kindOf, kindOfWord, type Kind, likelyStep } from './kinds.ts';
import { readOmitted } from './omitted.ts';
import { readTrigger } from './trigger.ts';
import { readWait } from './wait.ts';
import { readBase, readLabel } from './base.ts';

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
