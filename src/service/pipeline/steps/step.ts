/** One entry of `steps`: which kind it is, and the reader of that kind. */
import { blockKeys, checkKeys, commandKeys, waitKeys, type Keys } from '../keys.ts';
import type { Step } from '../plan.ts';
import { isNull, text, type Reading } from '../reading.ts';
import { suggest } from '../../../suggest.ts';
import type { Mapping, Scalar, Value } from '../value.ts';
import { readBlock } from './block.ts';
import { readCommand } from './command.ts';
import { readWait } from './wait.ts';

type Kind = Step['type'];
type Refused = 'input' | 'trigger' | 'group';

/** The keys that decide the kind, and the words of `type`. */
const kinds: Readonly<Record<string, Kind | Refused>> = {
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

/** What a step takes over from its pipeline. */
export interface Inherited {
  readonly agentQueryRules: readonly string[];
}

/** Reads one step; undefined, with its problems reported, where it cannot be run. */
export function readStep(reading: Reading, value: Value, inherited: Inherited): Step | undefined {
  if (value.kind === 'mapping') return readMapping(reading, value, inherited);
  if (value.kind === 'scalar') return readWord(reading, value);
  reading.problem(value.at, 'a step must be a mapping, `wait` or `block`');
}

function readWord(reading: Reading, value: Scalar): Step | undefined {
  if (isNull(value)) {
    reading.problem(value.at, 'the step is empty; write `command: …`');
    return;
  }
  const word = value.text;
  const empty: Mapping = { ...value, kind: 'mapping', entries: new Map() };
  if (word === 'wait' || word === 'waiter') return readWait(reading, empty);
  if (word === 'block' || word === 'manual') return readBlock(reading, empty);
  if (word === 'input') {
    refuse(reading, value, 'input');
    return;
  }
  const close = suggest(word, ['wait', 'block']);
  const hint = close === undefined ? `write \`command: …\`` : `did you mean \`${close}\`?`;
  reading.problem(value.at, `\`${word}\` is no step; ${hint}`);
}

function readMapping(reading: Reading, step: Mapping, inherited: Inherited): Step | undefined {
  const found = kindOf(reading, step);
  switch (found) {
    case 'command':
      checkKeys(reading, step, commandKeys);
      return readCommand(reading, step, inherited);
    case 'wait':
      checkKeys(reading, step, waitKeys);
      return readWait(reading, step);
    case 'block':
      checkKeys(reading, step, blockKeys);
      return readBlock(reading, step);
    case undefined:
      return undefined;
    default: {
      refuse(reading, step, found);
      return;
    }
  }
}

const refuse = (reading: Reading, { at }: Value, kind: Refused): undefined =>
  reading.problem(at, `\`${kind}\` steps are not run by this version`);

function kindOf(reading: Reading, step: Mapping): Kind | Refused | undefined {
  const type = step.entries.get('type');
  const keys = [...step.entries.keys()].filter((key) => Object.hasOwn(kinds, key));
  const found = new Set(keys.map((key) => kinds[key]));
  if (found.size > 1) {
    const both = keys.map((key) => `\`${key}\``).join(' and ');
    reading.problem(step.at, `a step cannot have ${both} together`);
    return;
  }
  const named = type && text(reading, type.value, '`type`');
  const known = named !== undefined && Object.hasOwn(kinds, named) ? kinds[named] : undefined;
  if (type !== undefined && (known === undefined || (found.size > 0 && !found.has(known)))) {
    reading.problem(type.value.at, `\`type: ${named ?? ''}\` does not fit this step`);
    return;
  }
  const kind = known ?? [...found][0];
  if (kind === undefined) checkUnknown(reading, step);
  return kind;
}

/** Neither kind nor `type`: a misspelled key says most. */
function checkUnknown(reading: Reading, step: Mapping): void {
  const run = [commandKeys, waitKeys, blockKeys].flatMap((one) => one.run);
  const all: Keys = { ...commandKeys, name: 'a step', run };
  checkKeys(reading, step, all);
  const accepted = new Set([...run, ...Object.keys(all.shown)]);
  if ([...step.entries.keys()].some((key) => !accepted.has(key))) return;
  reading.problem(step.at, 'a step needs `command`, `wait` or `block`');
}
