/** Converts the flags of `run` to a request for the service. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { RunRequest } from '../../service/admin.ts';
import type { RunOptions, PluginAction, PluginPolicy } from '../../service/run-options.ts';
import type { runCommand } from './index.ts';
import { readDotenv } from '../../dotenv/read.ts';
import { readFileText } from '../read-value.ts';
import type { Env } from '../../common/env.ts';
import { didYouMean } from '../../common/suggest.ts';

export type RunInput = Input<typeof runCommand>;

/** The job settings that do not depend on the pipeline. */
export type RunSettings = Pick<RunRequest, 'workspace' | 'hostEnv' | 'only'> & {
  readonly options: RunOptions;
};

/** Exit code 2 if values are invalid. Prompts for secrets on a terminal. */
export async function runSettings(input: RunInput, context: Context): Promise<RunSettings> {
  const { workspace, step: steps, needs, from, triggers } = input;
  const { allowUnknownKeys, ignoreMissingDependencies } = input;
  const plugins = parsePluginPolicy(input.plugins);
  const pluginsFrom = await folderOf(input.pluginsFrom, context);
  const secrets = await givenSecrets(input, context);
  return {
    ...(workspace !== undefined && {
      workspace: workspace as NonNullable<RunSettings['workspace']>,
    }),
    ...(input.inheritEnv && { hostEnv: inheritedVariables(context.env) }),
    // With `--from-build`, the pipeline has only one step.
    ...(steps.length > 0 && input.fromBuild === undefined && { only: { steps, needs } }),
    ...(from !== undefined && { only: { from } }),
    options: {
      ...{ plugins, pluginsFrom, secrets, tty: !input.noTty },
      triggers: triggers === 'skip' ? 'skip' : 'error',
      ...{ allowUnknownKeys, ignoreMissingDependencies },
      runsOn: input.agents ? 'agents' : 'slots',
    },
  };
}

async function folderOf(path: string | undefined, { cwd }: Context): Promise<string | null> {
  if (path === undefined) return null;
  const folder = resolve(cwd, path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return folder;
  throw usageError(`--plugins-from ${path}: ${found ? 'not a directory' : 'no such directory'}`);
}

type Flag = readonly [name: string, isGiven: boolean];

/** Rejects contradictory flags with exit code 2 and a message that contains both flags. */
export function checkFlags(input: RunInput, context: Pick<Context, 'out' | 'prompts'>): void {
  const { jobs, step: steps, from, graph } = input;
  const step: Flag = ['--step', steps.length > 0];
  const { out } = context;
  if (jobs !== undefined && jobs < 1) throw usageError(`--jobs must be at least 1, not ${jobs}`);
  if (graph && ['json', 'jsonl', 'yaml'].includes(out.format))
    throw usageError(`--graph and -o ${out.format} cannot be used together`);
  const fromBuild: Flag = ['--from-build', input.fromBuild !== undefined];
  refuseTogether(fromBuild, ['FILE', input.file !== undefined], ['--from', from !== undefined]);
  const watching: Flag = ['--watch-files', input.watchFiles];
  const shell: Flag = ['--shell-on-failure', input.shellOnFailure];
  const plan: Flag = graph ? ['--graph', true] : ['--plan', input.plan];
  refuseTogether(plan, shell, watching);
  refuseTogether(watching, shell, fromBuild, ['standard input', input.file === '-']);
  refuseTogether(['--agents', input.agents], shell, ...ofThisMachine(input));
  if (input.shellOnFailure) checkShell(input, context);
  refuseTogether(step, ['--from', from !== undefined]);
  if (input.needs && !step[1]) throw usageError('--needs requires --step');
  refuseTogether(fromBuild, ['--needs', input.needs], ['more than one --step', steps.length > 1]);
}

/** Flags that have no effect on agents on other machines. */
const ofThisMachine = ({ jobs, inheritEnv, pluginsFrom, noTty }: RunInput): readonly Flag[] => [
  ['--jobs', jobs !== undefined],
  ['--inherit-env', inheritEnv],
  ['--plugins-from', pluginsFrom !== undefined],
  ['--no-tty', noTty],
];

/** Throws if the flag `one` is given together with any flag in `others`. */
function refuseTogether(one: Flag, ...others: readonly Flag[]): void {
  const other = others.find(([, isGiven]) => isGiven);
  if (one[1] && other !== undefined)
    throw usageError(`${one[0]} and ${other[0]} cannot be used together`);
}

function checkShell(
  { workspace = 'inplace' }: RunInput,
  { prompts, out }: Pick<Context, 'out' | 'prompts'>,
): void {
  if (workspace !== 'inplace')
    throw usageError(
      `--shell-on-failure and --workspace ${workspace} cannot be used together: ` +
        'the directory is removed when its job has finished',
    );
  if (out.format !== 'table' && prompts.available)
    throw usageError(`--shell-on-failure and -o ${out.format} cannot be used together`);
  if (!prompts.available) throw usageError('--shell-on-failure requires a terminal');
}

/**
 * The secrets of `--secret-file`, overridden by `--secret`. Values for `--secret` come from
 * variables with the same names, or from a prompt on a terminal. Messages never contain values.
 * Exit code 2 if a value is missing.
 */
async function givenSecrets(
  {
    secret,
    secretFile,
  }: { readonly secret: readonly string[]; readonly secretFile: string | undefined },
  context: Context,
): Promise<Record<string, string>> {
  const secrets =
    secretFile === undefined ? {} : readDotenv(await readFileText(secretFile, context), secretFile);
  for (const name of secret) secrets[name] = await valueOf(name, context);
  context.secrets.add(...Object.values(secrets));
  return secrets;
}

async function valueOf(name: string, { env, prompts }: Context): Promise<string> {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    // The text after the equals sign may be the secret, so it is not repeated.
    const shown = JSON.stringify(name.split('=', 1)[0]);
    throw usageError(
      `--secret must be the name of a variable, not ${shown}${name.includes('=') ? ' with a value' : ''}`,
      'cictl run --secret-file FILE',
    );
  }
  const value = env[name] ?? '';
  if (value !== '') return value;
  if (!prompts.available)
    throw usageError(
      `--secret ${name}: not set in the environment`,
      'cictl run --secret-file FILE',
    );
  const typed = await prompts.hidden(`${name}: `);
  if (typed !== '') return typed;
  throw usageError(`--secret ${name}: no value given`);
}

/**
 * Variables for `--inherit-env`: all variables of this process, except cictl's own settings and
 * variables of a surrounding job, because its tokens and paths are not valid for other builds.
 */
function inheritedVariables(env: Env): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !/^(?:CICTL|BUILDKITE)_/.test(name)) taken[name] = value;
  return taken;
}

const actions: readonly PluginAction[] = ['run', 'skip', 'error'];

/**
 * Parses the values of `--plugins`. `skip` applies to every plugin that is not listed elsewhere;
 * `skip=ecr,docker` applies only to those two. Exit code 2 for invalid or contradictory values.
 */
export function parsePluginPolicy(texts: readonly string[]): PluginPolicy {
  const ofAll = new Map<string, PluginAction>();
  const named = new Map<string, PluginAction>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const action = parseAction(at === -1 ? text : text.slice(0, at), text);
    if (at === -1) put(ofAll, 'all plugins', action);
    else
      for (const name of text.slice(at + 1).split(',')) put(named, parseName(name, text), action);
  }
  return { default: ofAll.get('all plugins') ?? 'run', named: Object.fromEntries(named) };
}

function parseAction(word: string, text: string): PluginAction {
  const action = actions.find((one) => one === word);
  if (action !== undefined) return action;
  const list = actions.join(', ');
  const meant = didYouMean(word, actions);
  throw usageError(
    `--plugins must be ${list}, or one of them with plugin names (skip=ecr), not "${text}"${meant}`,
  );
}

function parseName(text: string, whole: string): string {
  const name = text.trim();
  if (name === '') throw usageError(`--plugins ${whole} has no plugin name`);
  if (/^[\w.-]+$/.test(name)) return name;
  throw usageError(
    `--plugins requires plugin names without an organization or version, not "${name}"`,
  );
}

function put(actionOf: Map<string, PluginAction>, name: string, action: PluginAction): void {
  const before = actionOf.get(name) ?? action;
  if (before !== action) throw usageError(`--plugins has both ${before} and ${action} for ${name}`);
  actionOf.set(name, action);
}
