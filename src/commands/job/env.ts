import { stringifyJson } from '../../api/json.ts';
import { type JobRef, jobName } from '../../api/refs.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import type { ReaderName } from '../../dotenv/reader-names.ts';
import { writeForReader, writeDotenv } from '../../dotenv/write.ts';
import { usageError } from '../../errors.ts';
import { resolveJobRef, resolveJob } from '../../refs/resolve.ts';
import { ownFormat } from '../output-flags.ts';
import type { jobEnv } from './index.ts';
import { resource, text } from '../../api/resources/resource.ts';
import { looksSecret } from '../../dotenv/secret.ts';
import { notForPrograms, notForShells, usable, type OmittedVariable } from '../../dotenv/usable.ts';
import { findBash } from '../../common/find-bash.ts';
import type { FoundJob } from '../../refs/find-job.ts';
import { runChild } from '../../terminal/child.ts';

type EnvInput = Input<typeof jobEnv>;

/** `cictl job env [JOB] [-- COMMAND ARGS...]`. */
export const showEnv: Handler<typeof jobEnv> = async (input, context) => {
  const format = ownFormat(input.format, 'json', context);
  checkTogether(input, format);
  if (input.run || input.rest.length > 0) return runWithJobEnv(input, context);
  const ref = await resolveJobRef(context, input.job, {
    mutates: false,
    ...(input.build !== undefined && { build: input.build }),
  });
  return print(format ?? usualFormat(input, context), ref, input, context);
};

function checkTogether(input: EnvInput, format: string | undefined): void {
  const runs = input.rest.length > 0;
  if (input.run && runs) throw usageError('--run and -- COMMAND cannot be used together');
  const program = input.run ? '--run' : '-- COMMAND';
  if (input.run || runs) {
    if (format !== undefined) throw usageError(`a format and ${program} cannot be used together`);
    if (input.for !== undefined) throw usageError(`--for and ${program} cannot be used together`);
  }
  if (input.for !== undefined && (format ?? 'dotenv') !== 'dotenv')
    throw usageError(`--for and --format ${format} cannot be used together`);
}

const usualFormat = (input: EnvInput, { out }: Context): string =>
  input.for === undefined && out.isTerminal ? 'table' : 'dotenv';

async function print(
  format: string,
  ref: JobRef,
  input: EnvInput,
  context: Context,
): Promise<void> {
  const { jobs } = await context.client();
  if (format === 'raw') return printRaw(await jobs.envText(ref), context);
  const whole = await jobs.env(ref);
  if (format === 'json') return printJson(whole, context);
  if (format === 'table') return printEnvTable(whole.env ?? {}, input, context);
  const { text, omitted } = write(whole.env ?? {}, format, input);
  warnOmitted(omitted, context);
  return context.out.write(text);
}

function write(
  env: Readonly<Record<string, unknown>>,
  format: string,
  { for: reader, allNames }: EnvInput,
) {
  if (reader === undefined) return writeDotenv(env, { exported: format === 'export', allNames });
  return writeForReader(reader as ReaderName, env, { allNames });
}

/** The service's own text: untouched in a pipe, printable on a terminal. */
const printRaw = (raw: string, { out }: Context): Promise<void> =>
  out.isTerminal ? out.line(raw.replace(/\n$/, '')) : out.write(raw);

const printJson = (value: object, { out }: Context): Promise<void> =>
  out.document(`${stringifyJson(value, out.isTerminal ? 2 : undefined)}\n`);

/**
 * The table for people: values of secret-looking names are masked, unless `--show-secrets` is
 * given.
 */
const printEnvTable = (
  env: Readonly<Record<string, string>>,
  { showSecrets }: { readonly showSecrets: boolean },
  { out }: Context,
): Promise<void> =>
  out.list(variable, rows(env, showSecrets), { empty: 'no variables', format: 'table' });

const variable = resource({
  name: 'variable',
  plural: 'variables',
  members: { name: text(), value: text() },
  columns: [
    { path: 'name', heading: 'NAME' },
    { path: 'value', heading: 'VALUE' },
  ],
});

const rows = (env: Readonly<Record<string, string>>, showSecrets: boolean): object[] =>
  Object.entries(env).map(([name, value]) => ({
    name,
    value: looksSecret(name) && !showSecrets ? '********' : value,
  }));

/**
 * Runs COMMAND, or the job's own one, with the job's variables beside those of this process, and
 * resolves to its exit code. The command may be a shell, or start one: names that a shell obeys are
 * left out here too, unless `--all-names` is given.
 */
async function runWithJobEnv(input: EnvInput, context: Context): Promise<number> {
  const { ref, command } = await locate(input, context);
  const { jobs } = await context.client();
  const { env } = await jobs.env(ref);
  const omissionRule = input.allNames ? notForPrograms : notForShells;
  const { variables, omitted } = usable(env ?? {}, omissionRule);
  warnOmitted(omitted, context);
  return runChild(command, variables, context);
}

interface Located {
  readonly ref: JobRef;
  readonly command: readonly string[];
}

async function locate({ job, build, rest, run }: EnvInput, context: Context): Promise<Located> {
  const options = { mutates: false, ...(build !== undefined && { build }) };
  if (!run) return { ref: await resolveJobRef(context, job, options), command: rest };
  const found = await resolveJob(context, job, options);
  return { ref: found.ref, command: ownCommand(found, context) };
}

/** As an agent runs it, with the bash of this machine: the job's PATH may be one of another. */
function ownCommand({ ref, job: { command, type } }: FoundJob, { env }: Context): string[] {
  if (typeof command === 'string' && command.trim() !== '')
    return [findBash(env), '-e', '-c', command];
  const kind = type === undefined || type === 'script' ? '' : ` of type ${type}`;
  throw usageError(
    `job ${jobName(ref)}${kind} has no command to run`,
    'cictl job env JOB -- COMMAND',
  );
}

/** Warns of omitted variables: a line for each reason, since there may be many. */
function warnOmitted(omitted: readonly OmittedVariable[], { messages }: Context): void {
  for (const [reason, names] of byReason(omitted)) {
    const verb = names.length === 1 ? 'is' : 'are';
    messages.warn(`${names.join(', ')} ${verb} left out: ${reason}`);
  }
}

function byReason(omitted: readonly OmittedVariable[]): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of omitted) {
    const names = reasons.get(reason) ?? [];
    names.push(JSON.stringify(name));
    reasons.set(reason, names);
  }
  return reasons;
}
