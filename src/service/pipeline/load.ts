import { stringify } from 'yaml';
import { CictlError } from '../../errors.ts';
import { suggest } from '../../common/suggest.ts';
import { parseDocument } from './yaml-document.ts';
import { checkDependencies } from './dependencies.ts';
import type { BuildFacts } from './environment.ts';
import { didYouMeanCode, checkKeys, pipelineKeys } from './keys.ts';
import { conditionContext } from './conditions/context.ts';
import {
  createNotes,
  invalid,
  maxProblems,
  roomForTexts,
  type Reading,
  readVariables,
} from './reading.ts';
import type { Plan, Step } from './plan.ts';
import { readAgents, readSkipCheckout, readPriority } from './steps/command.ts';
import type { StepContext } from './steps/base.ts';
import { readSecrets } from './steps/secrets.ts';
import { readSteps, type StepList } from './steps/steps.ts';
import type { Mapping, Report, Value } from './value.ts';
import { readJson } from './steps/plugins.ts';

export interface LoadOptions {
  /** Name of the file for messages. */
  readonly file: string;
  /** Variables of the build, including those from `buildVariables`. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that jobs get from this machine (`hostVariables`), with the lowest precedence. */
  readonly host?: Readonly<Record<string, string>>;
  /** The build for which conditions are evaluated. Without a build, conditions are only checked. */
  readonly facts?: BuildFacts;
  /**
   * Files that differ from the default branch, relative to the checkout. Null means that all files
   * are treated as changed, and a notice says so.
   */
  readonly changedFiles?: readonly string[] | null;
  /** The build's existing step keys, if a job uploads the file. Such a file may have no steps. */
  readonly keys?: readonly string[];
  /** Whether to keep variables as they are, without interpolation. */
  readonly isLiteral?: boolean;
  /** Why the changed files are unknown. Messages show this in parentheses. */
  readonly changesUnknown?: string;
  /** Whether unknown keys cause notices instead of problems. */
  readonly allowUnknownKeys?: boolean;
  /** Whether dependencies on missing keys cause notices instead of problems. */
  readonly ignoreMissingDependencies?: boolean;
}

const maxJobs = 10_000;

/** Reads a pipeline file in YAML 1.2 or JSON: a mapping with `steps`, or a list of steps. */
export function loadPipeline(text: string, options: LoadOptions): Plan {
  const problems = createNotes();
  const notices = createNotes();
  const env = new Map<string, string>();
  const reading = createReading(options, env, problems.add, notices.add);
  const root = parseDocument(text, reading.problem);
  const steps = root === undefined ? [] : readPipeline(reading, root, env, options);
  if (!problems.isEmpty()) throw refused(options.file, problems.every(options.file));
  return { env: Object.fromEntries(env), steps, notices: notices.once(options.file) };
}

function createReading(
  options: LoadOptions,
  env: ReadonlyMap<string, string>,
  problem: Report,
  notice: Report,
): Reading {
  let suggestions = 20;
  const own = (variables: LoadOptions['env'], name: string): string | undefined =>
    Object.hasOwn(variables, name) ? variables[name] : undefined;
  return {
    problem,
    notice,
    didYouMean: (word, known) => (suggestions-- > 0 ? didYouMeanCode(word, [...known]) : ''),
    // The file's variables take precedence over the build's variables, as in the public parser.
    lookup: (name) => env.get(name) ?? own(options.env, name),
    host: (name) => own(options.host ?? {}, name),
    isLiteral: options.isLiteral ?? false,
    allowsUnknownKeys: options.allowUnknownKeys ?? false,
    room: roomForTexts(),
  };
}

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
    readVariables(reading, root.entries.get('env'), env);
  }
  const variables = { ...Object.fromEntries(env), ...options.env };
  const context: StepContext = {
    inherited: inheritedFrom(reading, root),
    build: { ...options, values: conditionContext(options.facts ?? noBuild, variables) },
    nodes: [],
    room: { left: maxJobs, jobs: maxJobs },
    group: null,
  };
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
  const hint = close === undefined ? '' : `; did you mean \`steps\` instead of \`${close.key}\`?`;
  return invalid(reading, close ?? root, `the pipeline has no steps${hint}`, []);
}

const noBuild: BuildFacts = {
  organization: '',
  pipeline: { id: '', slug: '', name: '', repository: '', defaultBranch: '', provider: '' },
  build: { id: '', number: 0, url: '', branch: '', commit: '', message: '', source: 'api' },
};

function inheritedFrom(reading: Reading, root: Value): StepContext['inherited'] {
  const entries: Mapping['entries'] = root.kind === 'mapping' ? root.entries : new Map();
  const agents = entries.get('agents');
  return {
    agentQueryRules: agents ? readAgents(reading, agents) : [],
    priority: readPriority(reading, entries.get('priority')) ?? 0,
    secrets: readSecrets(reading, entries.get('secrets')),
    skipCheckout: readSkipCheckout(reading, entries.get('checkout'), false),
  };
}

function refused(file: string, details: readonly string[]): CictlError {
  let count = details.length === 1 ? 'a problem' : `${details.length} problems`;
  if (details.length > maxProblems) count = `more than ${maxProblems} problems`;
  return new CictlError('usage', `the pipeline file ${file} has ${count}`, { details });
}

/**
 * Returns the file as JSON or YAML, with its variables replaced. A list of steps becomes a mapping
 * with `steps`. Throws a `usage` error if the file is invalid.
 */
export function fillIn(text: string, options: LoadOptions, format: 'json' | 'yaml'): string {
  const problems = createNotes();
  const env = new Map<string, string>();
  const reading = createReading(options, env, problems.add, () => undefined);
  const root = parseDocument(text, reading.problem);
  if (root?.kind === 'mapping') readVariables(reading, root.entries.get('env'), env);
  const json = root === undefined ? null : readJson(reading, root);
  const filled = Array.isArray(json) ? { steps: json } : json;
  if (!problems.isEmpty())
    throw new CictlError('usage', `the pipeline file ${options.file} has problems`, {
      details: problems.every(options.file),
    });
  return format === 'yaml' ? stringify(filled) : `${JSON.stringify(filled, null, 2)}\n`;
}
