/** The flags of `run` as what the service is asked for. */
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

/** How the jobs run, beside which pipeline they are of. */
export type RunSettings = Pick<RunRequest, 'workspace' | 'hostEnv' | 'only'> & {
  readonly options: RunOptions;
};

/** Code 2 for values that make no sense; asks for secrets on a terminal. */
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
    // A step of another build is all that there is.
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
  throw usageError(
    `--plugins-from ${path}: ${found ? 'it is no folder' : 'there is no such folder'}`,
  );
}

type Flag = readonly [name: string, isGiven: boolean];

/** Code 2, naming both, for flags that contradict each other. */
export function checkFlags(input: RunInput, context: Pick<Context, 'out' | 'prompts'>): void {
  const { jobs, step: steps, from, graph } = input;
  const step: Flag = ['--step', steps.length > 0];
  const { out } = context;
  if (jobs !== undefined && jobs < 1) throw usageError(`--jobs takes a number from 1, not ${jobs}`);
  if (graph && ['json', 'jsonl', 'yaml'].includes(out.format))
    throw usageError(`--graph is a form of its own: it cannot be ${out.format}`);
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

/** What agents elsewhere have no part in. */
const ofThisMachine = ({ jobs, inheritEnv, pluginsFrom, noTty }: RunInput): readonly Flag[] => [
  ['--jobs', jobs !== undefined],
  ['--inherit-env', inheritEnv],
  ['--plugins-from', pluginsFrom !== undefined],
  ['--no-tty', noTty],
];

/** The first with each of the others. */
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
        'that folder is removed when its job has ended',
    );
  if (out.format !== 'table' && prompts.available)
    throw usageError(`--shell-on-failure and -o ${out.format} cannot be used together`);
  if (!prompts.available)
    throw usageError('--shell-on-failure needs a terminal for standard input and output');
}

/**
 * The secrets of `--secret-file` and, over them, of `--secret`: each by its name from the
 * environment, else asked for on a terminal. No message shows them. Code 2 for what is not there.
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
    // What follows the sign may be the secret itself.
    const shown = JSON.stringify(name.split('=', 1)[0]);
    throw usageError(
      `--secret takes the name of a variable, not ${shown}${name.includes('=') ? ' with a value' : ''}`,
      `export it, or use --secret-file FILE`,
    );
  }
  const value = env[name] ?? '';
  if (value !== '') return value;
  if (!prompts.available)
    throw usageError(`--secret ${name}: no such variable in the environment`, '--secret-file FILE');
  const typed = await prompts.hidden(`${name}: `);
  if (typed !== '') return typed;
  throw usageError(`--secret ${name}: no value was given`);
}

/**
 * What jobs get by `--inherit-env`: all of this process but its own settings and those of a job
 * around it, whose tokens and paths are not for the jobs of another build.
 */
function inheritedVariables(env: Env): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !/^(?:CICTL|BUILDKITE)_/.test(name)) taken[name] = value;
  return taken;
}

const actions: readonly PluginAction[] = ['run', 'skip', 'error'];

/**
 * What becomes of plugins, from the values of `--plugins`: `skip` for all that have no word of
 * their own, `skip=ecr,docker` for these. Code 2 for values that are none or that contradict.
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
    `--plugins takes ${list}, or one of them with names (skip=ecr), not "${text}"${meant}`,
  );
}

function parseName(text: string, whole: string): string {
  const name = text.trim();
  if (name === '') throw usageError(`--plugins ${whole} names no plugin`);
  if (/^[\w.-]+$/.test(name)) return name;
  throw usageError(
    `--plugins takes the name of a plugin without organization and version, not "${name}"`,
  );
}

function put(actionOf: Map<string, PluginAction>, name: string, action: PluginAction): void {
  const before = actionOf.get(name) ?? action;
  if (before !== action) throw usageError(`--plugins says both ${before} and ${action} of ${name}`);
  actionOf.set(name, action);
}
