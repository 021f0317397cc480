/** A pipeline file -> a plan, or every problem that it has, before anything runs. */
import { stringify } from 'yaml';
import { CictlError } from '../../errors.ts';
import { suggest } from '../../common/suggest.ts';
import { parseDocument } from './yaml-document.ts';
import { checkDependencies } from './dependencies.ts';
import type { BuildFacts } from './environment.ts';
import { didYouMeanCode, checkKeys, pipelineKeys } from './keys.ts';
import { createJudge } from './steps/omitted.ts';
import { createNotes, maxProblems, roomForTexts, type Reading, readVariables } from './reading.ts';
import type { Plan, Step, Json } from './plan.ts';
import { readAgents, readSkipCheckout, readPriority } from './steps/command.ts';
import type { StepContext } from './steps/base.ts';
import { readSecrets } from './steps/secrets.ts';
import { readSteps, type StepList } from './steps/steps.ts';
import type { Mapping, Value } from './value.ts';
import { readJson } from './steps/plugins.ts';

export interface LoadOptions {
  /** How the file is called in messages. */
  readonly file: string;
  /** Variables known when the file is read: those of the build, and `buildVariables`. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that jobs get from this machine (`hostVariables`); they come last. */
  readonly host?: Readonly<Record<string, string>>;
  /** The build that the conditions of the file ask for; left out, its values are empty. */
  readonly facts?: BuildFacts;
  /**
   * Files that differ from the default branch, relative to the checkout; null where that cannot be
   * found out (then all have changed, with a notice).
   */
  readonly changedFiles?: readonly string[] | null;
  /**
   * Keys that the build has already, where a job adds steps to it: they may be depended on. Such a
   * file may have no steps.
   */
  readonly keys?: readonly string[];
  /** The texts of the file stay as they are: their variables have been put in, or nobody wants that. */
  readonly isLiteral?: boolean;
  /** Why that cannot be found out, as a part of a sentence. */
  readonly changesUnknown?: string;
  /** Unknown keys are notices instead of problems. */
  readonly allowUnknownKeys?: boolean;
  /** Dependencies on keys that the build does not have are notices instead of problems. */
  readonly ignoreMissingDependencies?: boolean;
}

/** Jobs of a build. */
const maxJobs = 10_000;

/**
 * Reads a pipeline file: a mapping with `steps`, or a bare list of them, in YAML 1.2 or JSON.
 *
 * Throws `CictlError` `usage` whose details are all problems, each `file:line:column: text`.
 * Notices have the same form.
 */
export function loadPipeline(text: string, options: LoadOptions): Plan {
  const problems = createNotes();
  const notices = createNotes();
  const env = new Map<string, string>();
  let suggestions = 20;
  const reading: Reading = {
    problem: problems.add,
    notice: notices.add,
    didYouMean: (word, known) => (suggestions-- > 0 ? didYouMeanCode(word, [...known]) : ''),
    // As in the public parser: what the file sets hides what the build was given.
    lookup: (name) => env.get(name) ?? own(options.env, name),
    host: (name) => own(options.host ?? {}, name),
    isLiteral: options.isLiteral ?? false,
    allowsUnknownKeys: options.allowUnknownKeys ?? false,
    room: roomForTexts(),
  };
  const root = parseDocument(text, reading.problem);
  const steps = root === undefined ? [] : readPipeline(reading, root, env, options);
  if (!problems.isEmpty) throw refused(options.file, problems.every(options.file));
  return { env: Object.fromEntries(env), steps, notices: notices.once(options.file) };
}

const own = (variables: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;

function readPipeline(
  reading: Reading,
  root: Value,
  env: Map<string, string>,
  options: LoadOptions,
): readonly Step[] {
  if (root.kind === 'scalar') {
    reading.problem(root.at, 'a pipeline must be a mapping with `steps`, or a list of steps');
    return [];
  }
  if (root.kind === 'mapping') {
    checkKeys(reading, root, pipelineKeys);
    readVariables(reading, root.entries.get('env'), (name, value) => env.set(name, value));
  }
  const context: StepContext = {
    inherited: inheritedFrom(reading, root),
    judge: createJudge(reading, {
      ...options,
      env: { ...Object.fromEntries(env), ...options.env },
    }),
    nodes: [],
    room: { left: maxJobs, jobs: maxJobs },
    group: null,
  };
  // A script that adds steps may find that there are none to add.
  const mayBeEmpty = options.keys !== undefined;
  const steps = readList(reading, root, { at: root.at, of: 'the pipeline', mayBeEmpty, context });
  checkDependencies(reading, context.nodes, options);
  return steps;
}

function readList(reading: Reading, root: Value, list: StepList): readonly Step[] {
  if (root.kind !== 'mapping') return readSteps(reading, root, list);
  const steps = root.entries.get('steps');
  if (steps !== undefined) return readSteps(reading, steps.value, { ...list, at: steps.at });
  const close = [...root.entries.values()].find(({ key }) => suggest(key, ['steps']));
  const hint = close === undefined ? '' : `; did you mean \`steps\` by \`${close.key}\`?`;
  reading.problem(close?.at ?? root.at, `the pipeline has no steps${hint}`);
  return [];
}

const noEntries: Mapping['entries'] = new Map();

function inheritedFrom(reading: Reading, root: Value): StepContext['inherited'] {
  const entries = root.kind === 'mapping' ? root.entries : noEntries;
  const agents = entries.get('agents');
  return {
    agentQueryRules: agents ? readAgents(reading, agents) : [],
    priority: readPriority(reading, entries.get('priority')) ?? 0,
    secrets: readSecrets(reading, entries.get('secrets')),
    skipCheckout: readSkipCheckout(reading, entries.get('checkout'), false),
  };
}

function refused(file: string, details: readonly string[]): CictlError {
  const count =
    details.length > maxProblems
      ? `more than ${maxProblems} problems`
      : details.length === 1
        ? 'a problem'
        : `${details.length} problems`;
  return new CictlError('usage', `the pipeline file ${file} has ${count}`, { details });
}

// A pipeline file as it is after its variables have been put in, and nothing else has been read.

/**
 * The file as JSON or YAML text; a bare list is put below `steps`. Throws `CictlError` `usage` as
 * `loadPipeline` does.
 */
export function fillIn(text: string, options: LoadOptions, format: 'json' | 'yaml'): string {
  const problems = createNotes();
  const env = new Map<string, string>();
  const own = (variables: LoadOptions['env'], name: string): string | undefined =>
    Object.hasOwn(variables, name) ? variables[name] : undefined;
  const reading: Reading = {
    problem: problems.add,
    notice: () => undefined,
    lookup: (name) => env.get(name) ?? own(options.env, name),
    host: (name) => own(options.host ?? {}, name),
    isLiteral: options.isLiteral ?? false,
    didYouMean: () => '',
    room: roomForTexts(),
  };
  const root = parseDocument(text, reading.problem);
  const filled = root === undefined ? null : fill(reading, root, env);
  if (!problems.isEmpty)
    throw new CictlError('usage', `the pipeline file ${options.file} has problems`, {
      details: problems.every(options.file),
    });
  return format === 'yaml' ? stringify(filled) : `${JSON.stringify(filled, null, 2)}\n`;
}

function fill(reading: Reading, root: Value, env: Map<string, string>): Json {
  if (root.kind === 'mapping')
    readVariables(reading, root.entries.get('env'), (name, value) => env.set(name, value));
  const json = readJson(reading, root);
  return Array.isArray(json) ? { steps: json } : json;
}
