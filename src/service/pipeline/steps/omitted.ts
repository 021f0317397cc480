/** Why a step does not run in this build: `skip`, `if`, `branches`, `if_changed`. */
import { checkKeys, type Keys } from '../keys.ts';
import type { Omitted } from '../plan.ts';
import { isNull, optionalText, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, Value, SourcePosition } from '../value.ts';
import { branchMatches } from '../branches.ts';
import {
  conditionContext,
  ConditionError,
  evaluateCondition,
} from '../conditions/evaluate-condition.ts';
import type { BuildFacts } from '../environment.ts';
import { parseGlob, type Glob, holdsFor } from '../if-changed.ts';

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

// Whether the steps of a file run in a build.

/** Globs of `if_changed`, each with its place. */
interface ChangedFiles {
  readonly include: readonly Placed[];
  readonly exclude: readonly Placed[];
}

interface Placed {
  readonly text: string;
  readonly at: SourcePosition;
}

/** Each gives why the step is left out, and null where it runs. What is wrong is reported. */
export interface Judge {
  /** Whether there is a build to decide for; without one, a file is only checked. */
  readonly knowsBuild: boolean;
  /** `if`: an expression of the conditional language. `unset` are variables that were empty in it. */
  condition(source: string, at: SourcePosition, unset: readonly string[]): Omitted | null;
  /** `branches`: patterns parted by blanks. */
  branches(patterns: string): Omitted | null;
  /** `if_changed`. */
  ifChanged(files: ChangedFiles, at: SourcePosition): Omitted | null;
}

/** The build that asks. */
interface JudgedBuild {
  /** Left out: there is none, and only what is wrong is looked for. */
  readonly facts?: BuildFacts;
  readonly env: Readonly<Record<string, string>>;
  readonly changedFiles?: readonly string[] | null;
  readonly changesUnknown?: string;
}

const broken = (reason: string): Omitted => ({ state: 'broken', reason });

/** The judge of one file in one build. */
export function createJudge(reading: Reading, build: JudgedBuild): Judge {
  const { facts, env, changedFiles, changesUnknown } = build;
  const context = conditionContext(facts ?? noBuild, env);
  return {
    knowsBuild: facts !== undefined,
    condition(source, at, unset) {
      try {
        return evaluateCondition(source, context) ? null : broken(`if: ${oneLine(source)}`);
      } catch (error) {
        if (!(error instanceof ConditionError)) throw error;
        reading.problem(
          at,
          `\`if\`, character ${error.column}: ${error.message}${whyEmpty(unset)}`,
        );
        return null;
      }
    },
    branches: (patterns) =>
      branchMatches(patterns, facts?.build.branch ?? '')
        ? null
        : broken(`branches: ${oneLine(patterns)}`),
    ifChanged({ include, exclude }, at) {
      const patterns = { include: globs(reading, include), exclude: globs(reading, exclude) };
      if (changedFiles === undefined || changedFiles === null) {
        const reason = changesUnknown === undefined ? '' : ` (${changesUnknown})`;
        reading.notice(at, `\`if_changed\` cannot be judged${reason}, so that the step runs`);
        return null;
      }
      const names = include.map(({ text }) => text).join(' ');
      return holdsFor(patterns, changedFiles) ? null : broken(`if_changed: ${names}`);
    },
  };
}

const whyEmpty = ([name]: readonly string[]): string =>
  name === undefined ? '' : ` (\`${name}\` is not set; \`--env ${name}=…\` sets it)`;

const globs = (reading: Reading, patterns: readonly Placed[]): Glob[] =>
  patterns.flatMap(({ text, at }) => {
    try {
      return [parseGlob(text)];
    } catch (error) {
      reading.problem(at, error instanceof Error ? error.message : String(error));
      return [];
    }
  });

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

const noBuild: BuildFacts = {
  organization: '',
  pipeline: { id: '', slug: '', name: '', repository: '', defaultBranch: '', provider: '' },
  build: { id: '', number: 0, url: '', branch: '', commit: '', message: '', source: 'api' },
};
