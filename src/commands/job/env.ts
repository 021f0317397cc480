import { stringifyJson } from '../../api/json.ts';
import { jobName } from '../../api/refs.ts';
import { resource, text } from '../../api/resources/resource.ts';
import type { Handler, Input } from '../../command/command.ts';
import { findBash } from '../../common/find-bash.ts';
import type { Context } from '../../context.ts';
import type { ReaderName } from '../../dotenv/reader-names.ts';
import { looksSecret } from '../../dotenv/secret.ts';
import { notForPrograms, notForShells, usable, type OmittedVariable } from '../../dotenv/usable.ts';
import { writeDotenv, writeForReader } from '../../dotenv/write.ts';
import { usageError } from '../../errors.ts';
import type { FoundJob } from '../../refs/find-job.ts';
import { resolveJob, resolveJobRef } from '../../refs/resolve.ts';
import { runChild } from '../../terminal/child.ts';
import { ownFormat } from '../output-flags.ts';
import type { jobEnv } from './index.ts';

type EnvInput = Input<typeof jobEnv>;

export const showEnv: Handler<typeof jobEnv> = async (input, context) => {
  const chosen = ownFormat(input.format, 'json', context);
  checkFlags(input, chosen);
  if (input.run || input.rest.length > 0) return runWithJobEnv(input, context);
  const { out } = context;
  const format = chosen ?? (input.for === undefined && out.isTerminal ? 'table' : 'dotenv');
  const ref = await resolveJobRef(context, input.job, { mutates: false, build: input.build });
  const { jobs } = await context.client();
  if (format === 'raw') {
    const raw = await jobs.envText(ref);
    // A terminal only gets printable text.
    return out.isTerminal ? out.line(raw.replace(/\n$/, '')) : out.write(raw);
  }
  const whole = await jobs.env(ref);
  const env = whole.env ?? {};
  if (format === 'json')
    return out.document(`${stringifyJson(whole, out.isTerminal ? 2 : undefined)}\n`);
  if (format === 'table') return printTable(env, input, context);
  const { allNames } = input;
  const { text, omitted } =
    input.for === undefined
      ? writeDotenv(env, { exported: format === 'export', allNames })
      : writeForReader(input.for as ReaderName, env, { allNames });
  warnOmitted(omitted, context);
  return out.write(text);
};

function checkFlags(input: EnvInput, format: string | undefined): void {
  const hasCommand = input.rest.length > 0;
  if (input.run && hasCommand) throw usageError('--run and -- COMMAND cannot be used together');
  if (input.run || hasCommand) {
    const program = input.run ? '--run' : '-- COMMAND';
    if (format !== undefined) throw usageError(`--format and ${program} cannot be used together`);
    if (input.for !== undefined) throw usageError(`--for and ${program} cannot be used together`);
  }
  if (input.for !== undefined && (format ?? 'dotenv') !== 'dotenv')
    throw usageError(`--for and --format ${format} cannot be used together`);
}

/** Masks values whose names suggest a secret, unless `--show-secrets` is given. */
function printTable(
  env: Readonly<Record<string, string>>,
  { showSecrets }: EnvInput,
  { out }: Context,
): Promise<void> {
  const rows = Object.entries(env).map(([name, value]) => ({
    name,
    value: looksSecret(name) && !showSecrets ? '********' : value,
  }));
  return out.list(variable, rows, { empty: 'no variables', format: 'table' });
}

const variable = resource({
  name: 'variable',
  plural: 'variables',
  members: { name: text(), value: text() },
  columns: [
    { path: 'name', heading: 'NAME' },
    { path: 'value', heading: 'VALUE' },
  ],
});

/**
 * Runs COMMAND or the job's own command, and resolves to its exit code. Adds the job's variables to
 * those of this process. The command may be a shell or start one, so variables with a special
 * meaning in shells are omitted unless `--all-names` is given.
 */
async function runWithJobEnv(input: EnvInput, context: Context): Promise<number> {
  const options = { mutates: false, build: input.build };
  const found = input.run ? await resolveJob(context, input.job, options) : undefined;
  const command = found === undefined ? input.rest : ownCommand(found, context);
  const ref = found?.ref ?? (await resolveJobRef(context, input.job, options));
  const { jobs } = await context.client();
  const { env } = await jobs.env(ref);
  const rule = input.allNames ? notForPrograms : notForShells;
  const { variables, omitted } = usable(env ?? {}, rule);
  warnOmitted(omitted, context);
  return runChild(command, variables, context);
}

/** The command that an agent runs, but with this machine's bash: the job's PATH may be invalid. */
function ownCommand({ ref, job: { command, type } }: FoundJob, { env }: Context): string[] {
  if (typeof command === 'string' && command.trim() !== '')
    return [findBash(env), '-e', '-c', command];
  const kind = type === undefined || type === 'script' ? '' : ` of type ${type}`;
  throw usageError(
    `job ${jobName(ref)}${kind} has no command to run`,
    'cictl job env JOB -- COMMAND',
  );
}

/** Prints one line per reason, because many variables may be omitted. */
function warnOmitted(omitted: readonly OmittedVariable[], { messages }: Context): void {
  for (const reason of new Set(omitted.map((one) => one.reason))) {
    const names = omitted.filter((one) => one.reason === reason);
    const list = names.map(({ name }) => JSON.stringify(name)).join(', ');
    messages.warn(`omitted ${list}: ${reason}`);
  }
}
