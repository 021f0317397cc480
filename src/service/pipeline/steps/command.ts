/** Command steps: one job, or those of `parallelism` or `matrix`. */
import { plainCommand, type CommandStep, type StepBase } from '../plan.ts';
import {
  aliased,
  flag,
  isNull,
  number,
  optionalText,
  script,
  takeRoom,
  type Reading,
} from '../reading.ts';
import type { Entry, Mapping, Value } from '../value.ts';
import { readVariables } from '../variables.ts';
import { readBase } from './base.ts';
import { readLabel } from './key-and-label.ts';
import { readAgents } from './agents.ts';
import { readArtifactPaths } from './artifact-paths.ts';
import { readSkipCheckout } from './checkout.ts';
import { readConcurrency } from './concurrency.ts';
import type { StepContext } from './context.ts';
import { readCopies } from './copies.ts';
import { fillMatrix, withoutTokens } from './fill-matrix.ts';
import { readMatrix, type Combination } from './matrix.ts';
import { numberLabel } from './number-label.ts';
import { readPlugins } from './plugins.ts';
import { readRetry } from './retry.ts';
import { mergeSecrets, readSecrets } from './secrets.ts';
import { readSoftFail } from './soft-fail.ts';

/** Longest timeout: a timer of Node takes up to 2^31 ms. */
const maxMinutes = 35_000;

export function readCommand(
  reading: Reading,
  step: Mapping,
  context: StepContext,
): readonly CommandStep[] {
  const matrix = readMatrix(reading, step.entries.get('matrix'));
  const base = readBase(reading, step, 'step', readLabel(reading, step), context);
  const room = context.room;
  const parallelism = step.entries.get('parallelism');
  if (matrix !== null) {
    if (parallelism && !isNull(parallelism.value))
      reading.problem(parallelism.at, '`parallelism` and `matrix` cannot stand together');
    // What else is wrong with the step is reported all the same.
    if (matrix.combinations.length === 0) readJob(reading, withoutTokens(step), base, context);
    if (!hasRoom(reading, step, room, matrix.combinations.length)) return [];
    return matrix.combinations.map((one) => ofMatrix(reading, step, base, one, context));
  }
  const copies = readCopies(reading, parallelism, room.jobs);
  if (!hasRoom(reading, step, room, copies.length)) return [];
  const job = readJob(reading, step, base, context);
  const more = Math.max(0, copies.length - 1);
  if (more > 0 && !takeRoom(reading, step.at, more * JSON.stringify(job).length)) return [];
  return copies.map((parallel) => ({
    ...job,
    parallel,
    label: numberLabel(job.label, parallel),
  }));
}

/** The jobs of a build are counted while they are made: a file of a line could ask for millions. */
function hasRoom(
  reading: Reading,
  { at }: Mapping,
  room: StepContext['room'],
  jobs: number,
): boolean {
  const left = room.left;
  room.left -= jobs;
  if (jobs <= left) return true;
  if (left >= 0) reading.problem(at, `the pipeline has more than ${room.jobs} jobs`);
  return false;
}

function ofMatrix(
  reading: Reading,
  step: Mapping,
  base: StepBase,
  combination: Combination,
  context: StepContext,
): CommandStep {
  const filled = fillMatrix(reading, step, combination.values);
  const label = readLabel(reading, filled);
  const job = readJob(reading, filled, { ...base, label }, context);
  const { values: matrix, skip, softFail, env } = combination;
  return {
    ...job,
    matrix,
    env: { ...job.env, ...env },
    softFail: softFail ?? job.softFail,
    omitted: job.omitted ?? skip,
  };
}

function readJob(
  reading: Reading,
  step: Mapping,
  base: StepBase,
  { inherited }: StepContext,
): CommandStep {
  const { entries } = step;
  const agents = entries.get('agents') ?? entries.get('agent_query_rules');
  const plugins = readPlugins(reading, entries.get('plugins'));
  const env = readEnv(reading, entries.get('env'));
  const secrets = mergeSecrets(inherited.secrets, readSecrets(reading, entries.get('secrets')));
  const own = new Set([...Object.keys(env), ...secrets.map(({ variable }) => variable)]);
  return {
    ...plainCommand,
    ...base,
    command: readScript(reading, step, own, plugins.length > 0),
    env,
    softFail: readSoftFail(reading, entries.get('soft_fail')),
    timeoutInMinutes: readTimeout(reading, step),
    agentQueryRules: agents ? readAgents(reading, agents) : inherited.agentQueryRules,
    artifactPaths: readArtifactPaths(reading, entries.get('artifact_paths')),
    plugins,
    retry: readRetry(reading, entries.get('retry')),
    concurrency: readConcurrency(reading, step),
    priority: readPriority(reading, entries.get('priority')) ?? inherited.priority,
    cancelOnBuildFailing: flag(reading, entries.get('cancel_on_build_failing'), false),
    secrets,
    skipCheckout: readSkipCheckout(reading, entries.get('checkout'), inherited.skipCheckout),
  };
}

function readScript(
  reading: Reading,
  step: Mapping,
  own: ReadonlySet<string>,
  hasPlugins: boolean,
): string {
  const entry = aliased(reading, step, ['command', 'commands', 'script']);
  const lines = entry === undefined ? [] : linesOf(entry.value);
  const isOwn = (name: string): boolean => own.has(name);
  const whole = lines.map((line) => script(reading, line, textOf(line), isOwn)).join('\n');
  const isEmpty = whole.trim() === '' && lines.every(({ kind }) => kind === 'scalar');
  if (isEmpty && !hasPlugins)
    reading.problem(entry?.at ?? step.at, 'the step has no command to run');
  return whole;
}

/** An unquoted `echo a: b` is a mapping. */
const textOf = ({ kind }: Value): string =>
  kind === 'mapping' ? 'a command with `: ` in it needs quotes: it' : 'a command';

const linesOf = (value: Value): readonly Value[] =>
  value.kind === 'list' ? value.items : isNull(value) ? [] : [value];

function readEnv(reading: Reading, entry: Entry | undefined): Record<string, string> {
  const env = new Map<string, string>();
  if (entry?.value.kind === 'list')
    reading.problem(entry.value.at, '`env` of a step must be a mapping (a list is for pipelines)');
  else readVariables(reading, entry, (name, value) => env.set(name, value));
  return Object.fromEntries(env);
}

/** Old files say `timeout`. */
function readTimeout(reading: Reading, step: Mapping): number | null {
  const entry = aliased(reading, step, ['timeout_in_minutes', 'timeout']);
  const minutes = number(reading, entry, { min: 0, max: maxMinutes });
  if (minutes !== 0) return minutes;
  if (entry) reading.problem(entry.value.at, `\`${entry.key}\` must be more than 0`);
  return null;
}

/** A whole number, also below 0; null where it is left out. */
export function readPriority(reading: Reading, entry: Entry | undefined): number | null {
  const word = optionalText(reading, entry);
  if (entry === undefined || word === null) return null;
  if (/^[-+]?\d{1,9}$/.test(word)) return Number(word);
  reading.problem(entry.value.at, '`priority` must be a whole number');
  return null;
}
