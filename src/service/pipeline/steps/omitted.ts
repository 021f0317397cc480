/**
 * Uses `skip`, `if`, `branches` and `if_changed` to determine whether a step runs in this build.
 */
import { branchMatches } from '../branches.ts';
import {
  ConditionError,
  evaluateCondition,
  type ConditionContext,
} from '../conditions/evaluate-condition.ts';
import type { BuildFacts } from '../environment.ts';
import { parseGlob, type Glob, holdsFor } from '../if-changed.ts';
import { checkKeys, type Keys } from '../keys.ts';
import type { Omitted } from '../plan.ts';
import { invalid, isNull, optionalText, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, SourcePosition, Value } from '../value.ts';

export interface ConditionalBuild {
  /** Undefined if there is no build. Conditions are then only checked. */
  readonly facts?: BuildFacts;
  readonly values: ConditionContext;
  readonly changedFiles?: readonly string[] | null;
  readonly changesUnknown?: string;
}

/** Reads all conditions to report every mistake. Returns the first reason that applies. */
export function readOmitted(
  reading: Reading,
  { entries }: Mapping,
  build: ConditionalBuild,
): Omitted | null {
  const reasons = [
    readSkip(reading, entries.get('skip')),
    readIf(reading, entries.get('if'), build),
    readBranches(reading, entries.get('branches'), build),
    readIfChanged(reading, entries.get('if_changed'), build),
  ];
  return reasons.find((reason) => reason !== null) ?? null;
}

export function readSkip(reading: Reading, entry: Entry | undefined): Omitted | null {
  const word = optionalText(reading, entry)?.trim() ?? '';
  if (word === '' || /^false$/i.test(word)) return null;
  return { state: 'skipped', reason: /^true$/i.test(word) ? 'skip' : word };
}

const broken = (reason: string): Omitted => ({ state: 'broken', reason });

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

function readIf(reading: Reading, entry: Entry | undefined, { values }: ConditionalBuild) {
  const unset: string[] = [];
  const noting = { ...reading, unset: (name: string) => void unset.push(name) };
  const source = optionalText(noting, entry)?.trim() ?? '';
  if (entry === undefined || source === '') return null;
  try {
    return evaluateCondition(source, values) ? null : broken(`if: ${oneLine(source)}`);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const [name] = unset;
    const why = name === undefined ? '' : ` (\`${name}\` is not set; \`--env ${name}=…\` sets it)`;
    const problem = `\`if\`, character ${error.column}: ${error.message}${why}`;
    return invalid(reading, entry.value, problem, null);
  }
}

function readBranches(reading: Reading, entry: Entry | undefined, { facts }: ConditionalBuild) {
  const filter = textsOf(reading, entry)
    .map(({ text }) => text)
    .join(' ');
  const matches = branchMatches(filter, facts?.build.branch ?? '');
  return filter === '' || matches ? null : broken(`branches: ${oneLine(filter)}`);
}

const changedKeys: Keys = { name: '`if_changed`', run: ['include', 'exclude'] };

function readIfChanged(
  reading: Reading,
  entry: Entry | undefined,
  { changedFiles, changesUnknown }: ConditionalBuild,
): Omitted | null {
  if (entry === undefined || isNull(entry.value)) return null;
  const { value } = entry;
  const isMapping = value.kind === 'mapping';
  if (isMapping) checkKeys(reading, value, changedKeys);
  const included = textsOf(reading, isMapping ? value.entries.get('include') : entry);
  const excluded = isMapping ? textsOf(reading, value.entries.get('exclude')) : [];
  if (included.length === 0)
    return invalid(reading, value, '`if_changed` must have a path, or `include` with one', null);
  const globs = { include: globsOf(reading, included), exclude: globsOf(reading, excluded) };
  if (changedFiles === undefined || changedFiles === null) {
    const reason = changesUnknown === undefined ? '' : ` (${changesUnknown})`;
    reading.notice(value.at, `\`if_changed\` cannot be evaluated${reason}, so the step runs`);
    return null;
  }
  const names = included.map(({ text }) => text).join(' ');
  return holdsFor(globs, changedFiles) ? null : broken(`if_changed: ${names}`);
}

interface PlacedText {
  readonly text: string;
  readonly at: SourcePosition;
}

/** Reads a string or a list of strings. Drops null and empty strings. */
function textsOf(reading: Reading, entry: Entry | undefined): PlacedText[] {
  if (entry === undefined) return [];
  const { key, value } = entry;
  const values: readonly Value[] = value.kind === 'list' ? value.items : [value];
  return values.flatMap((one) => {
    const found = isNull(one) ? '' : text(reading, one, `\`${key}\``).trim();
    return found === '' ? [] : [{ text: found, at: one.at }];
  });
}

const globsOf = (reading: Reading, patterns: readonly PlacedText[]): Glob[] =>
  patterns.flatMap((pattern) => {
    try {
      return [parseGlob(pattern.text)];
    } catch (error) {
      return invalid(reading, pattern, error instanceof Error ? error.message : String(error), []);
    }
  });
