/** Whether the steps of a file run in a build. */
import { branchesMatch } from './conditions/branches-match.ts';
import {
  conditionContext,
  ConditionError,
  evaluateCondition,
} from './conditions/evaluate-condition.ts';
import type { BuildFacts } from './facts.ts';
import { parseGlob, type Glob, holdsFor } from './if-changed.ts';
import type { Omitted } from './plan.ts';
import type { Reading } from './reading.ts';
import type { SourcePosition } from './value.ts';

/** Globs of `if_changed`, each with its place. */
export interface ChangedFiles {
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
export interface JudgedBuild {
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
      branchesMatch(patterns, facts?.build.branch ?? '')
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
