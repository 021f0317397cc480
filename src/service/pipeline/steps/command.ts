import { plainCommand, type CommandStep, type StepBase, type Concurrency } from '../plan.ts';
import {
  aliased,
  flag,
  invalid,
  isNull,
  number,
  optionalText,
  script,
  takeRoom,
  type Reading,
  text,
  choice,
  readVariables,
} from '../reading.ts';
import type { Entry, Mapping, Value } from '../value.ts';
import { readBase, readLabel, type StepContext } from './base.ts';
import { fillMatrix, withoutTokens, readMatrix, type Combination } from './matrix.ts';
import { readPlugins } from './plugins.ts';
import { readRetry, readSoftFail } from './failures.ts';
import { mergeSecrets, readSecrets } from './secrets.ts';
import { isStandard } from '../environment.ts';
import { checkKeys, type Keys } from '../keys.ts';

/** Node timers are limited to 2^31 ms. */
const maxMinutes = 35_000;

/** Returns the jobs of a command step: one, or several if it has `parallelism` or a `matrix`. */
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
      reading.problem(parallelism.at, '`parallelism` and `matrix` cannot be used together');
    // If the matrix results in no jobs, reads the step once to report its other problems.
    if (matrix.combinations.length === 0) readJob(reading, withoutTokens(step), base, context);
    if (!hasRoom(reading, step, room, matrix.combinations.length)) return [];
    return matrix.combinations.map((one) => ofMatrix(reading, step, base, one, context));
  }
  const copies = readCopies(reading, parallelism, room.jobs);
  if (!hasRoom(reading, step, room, copies.length)) return [];
  const job = readJob(reading, step, base, context);
  const more = Math.max(0, copies.length - 1);
  if (more > 0 && !takeRoom(reading, step.at, more * JSON.stringify(job).length)) return [];
  return copies.map((parallel) => ({ ...job, parallel, label: numberLabel(job.label, parallel) }));
}

/** Called before the jobs are created, because a single step could request millions of jobs. */
function hasRoom(reading: Reading, { at }: Mapping, room: StepContext['room'], jobs: number) {
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
  const isLeftToShell = (name: string): boolean =>
    reading.lookup(name) === undefined && (isFoundByJob(name) || own.has(name));
  const whole = lines.map((line) => script(reading, line, nameOf(line), isLeftToShell)).join('\n');
  const isEmpty = whole.trim() === '' && lines.every(({ kind }) => kind === 'scalar');
  if (isEmpty && !hasPlugins)
    reading.problem(entry?.at ?? step.at, 'the step has no command to run');
  return whole;
}

const ofHost = new Set('HOME PATH USER SHELL LANG TMPDIR TERM PWD OLDPWD'.split(' '));

/** Variables that are set for each job, but are not part of the environment that the API shows. */
const hidden =
  /^BUILDKITE_(?:AGENT_ACCESS_TOKEN|AGENT_ENDPOINT|ENV_FILE|PLUGINS?|PLUGIN_\w+|LAST_HOOK_\w+|COMMAND_EXIT_STATUS)$/;

/** Whether the variable is only set in the job, or may have a different value there. */
const isFoundByJob = (name: string): boolean =>
  ofHost.has(name) || /^LC_\w+$/.test(name) || isStandard(name) || hidden.test(name);

/** YAML parses `echo a: b` as a mapping unless it is quoted. */
const nameOf = ({ kind }: Value): string =>
  kind === 'mapping' ? 'a command that contains `: ` needs quotes: it' : 'a command';

const linesOf = (value: Value): readonly Value[] =>
  value.kind === 'list' ? value.items : isNull(value) ? [] : [value];

function readEnv(reading: Reading, entry: Entry | undefined): Record<string, string> {
  if (entry?.value.kind !== 'list') return readVariables(reading, entry);
  const rule = "a step's `env` must be a mapping (only a pipeline's can be a list)";
  return invalid(reading, entry.value, rule, {});
}

/** `timeout` is an older name for `timeout_in_minutes`. */
function readTimeout(reading: Reading, step: Mapping): number | null {
  const entry = aliased(reading, step, ['timeout_in_minutes', 'timeout']);
  const minutes = number(reading, entry, { min: 0, max: maxMinutes });
  if (minutes !== 0) return minutes;
  if (entry) reading.problem(entry.value.at, `\`${entry.key}\` must be greater than 0`);
  return null;
}

export function readPriority(reading: Reading, entry: Entry | undefined): number | null {
  const word = optionalText(reading, entry);
  if (entry === undefined || word === null) return null;
  if (/^[-+]?\d{1,9}$/.test(word)) return Number(word);
  return invalid(reading, entry.value, '`priority` must be a whole number', null);
}

/**
 * Returns the rules of `agents`. For example, `{queue: linux}`, `[queue=linux]`, `[{queue: linux}]`
 * and `queue=linux` all become `queue=linux`. A list of values becomes one rule per value.
 */
export const readAgents = (reading: Reading, { value }: Entry): string[] =>
  isNull(value) ? [] : readRules(reading, value, '');

function readRules(reading: Reading, value: Value, prefix: string): string[] {
  switch (value.kind) {
    case 'scalar':
      return [prefix + text(reading, value, 'an agent rule')];
    case 'list':
      return value.items.flatMap((item) => readRules(reading, item, prefix));
    case 'mapping':
      return [...value.entries.values()].flatMap((entry) =>
        readRules(reading, entry.value, `${prefix}${entry.key}=`),
      );
  }
}

function readArtifactPaths(reading: Reading, entry: Entry | undefined): string | null {
  const paths = (entry === undefined ? [] : linesOf(entry.value))
    .filter((value) => !isNull(value))
    .flatMap((value) => text(reading, value, '`artifact_paths`').split(';'))
    .map((path) => path.trim());
  return paths.filter((path) => path !== '').join(';') || null;
}

const ignored = [
  ...['depth', 'submodules', 'commit_verification', 'flags', 'sparse', 'lfs', 'ssh_secret'],
  ...['clean', 'branch', 'fetch_tags', 'mirror'],
];
const checkoutKeys: Keys = {
  name: '`checkout`',
  run: ['skip'],
  shown: Object.fromEntries(
    ignored.map((key) => [
      key,
      `\`${key}\` in \`checkout\` has no effect: jobs run in the pipeline's directory`,
    ]),
  ),
};

export function readSkipCheckout(
  reading: Reading,
  entry: Entry | undefined,
  inherited: boolean,
): boolean {
  if (entry === undefined || isNull(entry.value)) return inherited;
  if (entry.value.kind === 'mapping') {
    checkKeys(reading, entry.value, checkoutKeys);
    return flag(reading, entry.value.entries.get('skip'), inherited);
  }
  reading.problem(entry.value.at, '`checkout` must be a mapping such as `skip: true`');
  return inherited;
}

function readConcurrency(reading: Reading, step: Mapping): Concurrency | null {
  const { entries } = step;
  const [limitEntry, groupEntry] = [entries.get('concurrency'), entries.get('concurrency_group')];
  const methodEntry = entries.get('concurrency_method');
  const limit = number(reading, limitEntry, { min: 1, max: 1_000_000 });
  const group = optionalText(reading, groupEntry);
  const method = choice(reading, methodEntry, ['ordered', 'eager'], 'ordered');
  const hasLimit = limitEntry !== undefined && !isNull(limitEntry.value);
  if (group !== null && hasLimit) {
    if (limit !== null && !Number.isInteger(limit))
      reading.problem(limitEntry.value.at, '`concurrency` must be a whole number');
    return limit === null ? null : { group, limit, method };
  }
  if (hasLimit) reading.problem(limitEntry.at, '`concurrency` needs a `concurrency_group`');
  if (groupEntry && group !== null)
    reading.problem(groupEntry.at, '`concurrency_group` needs a `concurrency`');
  if (methodEntry && group === null && !hasLimit)
    reading.problem(methodEntry.at, '`concurrency_method` needs a `concurrency_group`');
  return null;
}

/** Returns one entry per job. Without `parallelism`, the only entry is null. */
function readCopies(reading: Reading, entry: Entry | undefined, max: number) {
  const total = number(reading, entry, { min: 0, max });
  if (total === null) return [null];
  if (entry && !Number.isInteger(total))
    return invalid(reading, entry.value, '`parallelism` must be a whole number', [null]);
  return Array.from({ length: total }, (_, index) => ({ index, total }));
}

/** Replaces `%n` (the job's number from 0), `%N` (the number from 1) and `%t` (the total). */
function numberLabel(label: string | null, parallel: CommandStep['parallel']): string | null {
  if (label === null || parallel === null) return label;
  const { index, total } = parallel;
  const numbers: Record<string, number> = { '%n': index, '%N': index + 1, '%t': total };
  return label.replace(/%[nNt]/g, (mark) => String(numbers[mark]));
}
