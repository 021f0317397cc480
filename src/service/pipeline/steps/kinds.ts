/** Which kind a step is: by the key that names it, or by `type`. */
import {
  blockKeys,
  checkKeys,
  commandKeys,
  groupKeys,
  inputKeys,
  triggerKeys,
  waitKeys,
  type Keys,
} from '../keys.ts';
import type { Step } from '../plan.ts';
import { text, type Reading } from '../reading.ts';
import type { Mapping, Entry } from '../value.ts';
import { suggest } from '../../../common/suggest.ts';

export type Kind = Step['type'] | 'group';

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

export const keysOf: Readonly<Record<Kind, Keys>> = {
  command: commandKeys,
  wait: waitKeys,
  block: blockKeys,
  input: inputKeys,
  trigger: triggerKeys,
  group: groupKeys,
};

/** The kind of a step that is one word; undefined for one that takes more. */
export const kindOfWord = (word: string): 'wait' | 'block' | 'input' | undefined => {
  const kind = Object.hasOwn(kinds, word) ? kinds[word] : undefined;
  return kind === 'wait' || kind === 'block' || kind === 'input' ? kind : undefined;
};

/** The entry that names the kind; undefined where `type` does. */
export const kindEntry = (step: Mapping) =>
  [...step.entries.values()].find(({ key }) => Object.hasOwn(kinds, key) && key !== 'plugins');

/** Undefined, with its problems and its unknown keys reported, where it is none or more than one. */
export function kindOf(reading: Reading, step: Mapping): Kind | undefined {
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
export function likelyStep(step: Mapping): LikelyStep {
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
