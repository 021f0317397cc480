/** Why a step does not run in this build: `skip`, `if`, `branches`, `if_changed`. */
import { checkKeys, type Keys } from '../keys.ts';
import type { Omitted } from '../plan.ts';
import { isNull, optionalText, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, Value } from '../value.ts';
import type { ChangedFiles, Judge } from '../judge.ts';

/** All of them are read, so that what is wrong with any is reported; the first that fits counts. */
export function readOmitted(reading: Reading, step: Mapping, judge: Judge): Omitted | null {
  const reasons = [
    readSkip(reading, step.entries.get('skip')),
    readIf(reading, step.entries.get('if'), judge),
    readBranches(reading, step.entries.get('branches'), judge),
    readIfChanged(reading, step.entries.get('if_changed'), judge),
  ];
  return reasons.find((reason) => reason !== null) ?? null;
}

/** `true`, or the reason. */
export function readSkip(reading: Reading, entry: Entry | undefined): Omitted | null {
  const word = optionalText(reading, entry)?.trim() ?? '';
  if (word === '' || /^false$/i.test(word)) return null;
  return { state: 'skipped', reason: /^true$/i.test(word) ? 'skip' : word };
}

function readIf(reading: Reading, entry: Entry | undefined, judge: Judge): Omitted | null {
  const unset: string[] = [];
  const noting = { ...reading, unset: (name: string) => void unset.push(name) };
  const source = optionalText(noting, entry)?.trim() ?? '';
  if (entry === undefined || source === '') return null;
  return judge.condition(source, entry.value.at, unset);
}

function readBranches(reading: Reading, entry: Entry | undefined, judge: Judge): Omitted | null {
  const patterns = textsOf(reading, entry).map(({ text }) => text);
  return patterns.length === 0 ? null : judge.branches(patterns.join(' '));
}

const changedKeys: Keys = { name: '`if_changed`', run: ['include', 'exclude'], shown: {} };

function readIfChanged(reading: Reading, entry: Entry | undefined, judge: Judge): Omitted | null {
  if (entry === undefined || isNull(entry.value)) return null;
  const files = changedFiles(reading, entry);
  if (files.include.length > 0) return judge.ifChanged(files, entry.value.at);
  reading.problem(entry.value.at, '`if_changed` must have a path, or `include` with one');
  return null;
}

function changedFiles(reading: Reading, entry: Entry): ChangedFiles {
  const { value } = entry;
  if (value.kind !== 'mapping') return { include: textsOf(reading, entry), exclude: [] };
  checkKeys(reading, value, changedKeys);
  const { entries } = value;
  return {
    include: textsOf(reading, entries.get('include')),
    exclude: textsOf(reading, entries.get('exclude')),
  };
}

/** A text, or a list of them, each with its place; null is none. */
function textsOf(reading: Reading, entry: Entry | undefined) {
  if (entry === undefined) return [];
  const { key, value } = entry;
  const values: readonly Value[] = value.kind === 'list' ? value.items : [value];
  return values.flatMap((one) => {
    const found = isNull(one) ? '' : text(reading, one, `\`${key}\``).trim();
    return found === '' ? [] : [{ text: found, at: one.at }];
  });
}
