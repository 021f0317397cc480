/** One entry of `steps` -> its jobs. */
import { checkKeys } from '../keys.ts';
import type { Step } from '../plan.ts';
import { isNull, type Reading } from '../reading.ts';
import { suggest } from '../../../common/suggest.ts';
import type { Mapping, Scalar, Value } from '../value.ts';
import { readBlock } from './block.ts';
import { readCommand } from './command.ts';
import type { StepContext } from './context.ts';
import { readGroup } from './group.ts';
import { keysOf, kindEntry, kindOf, kindOfWord, type Kind } from './kind.ts';
import { likelyStep } from './likely-step.ts';
import { readOmitted } from './omitted.ts';
import { readTrigger } from './trigger.ts';
import { readWait } from './wait.ts';

/** None, with its problems reported, where it cannot be run. */
export function readStep(reading: Reading, value: Value, context: StepContext): readonly Step[] {
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
