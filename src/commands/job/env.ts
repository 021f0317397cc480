import { stringifyJson } from '../../api/json.ts';
import type { JobRef } from '../../api/refs.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import type { ReaderName } from '../../dotenv/reader-names.ts';
import { writeForReader } from '../../dotenv/write-for-reader.ts';
import { writeDotenv } from '../../dotenv/write.ts';
import { usageError } from '../../errors.ts';
import { resolveJobRef } from '../../refs/resolve.ts';
import { ownFormat } from '../own-format.ts';
import type { jobEnv } from './index.ts';
import { runWithJobEnv } from './run-with-job-env.ts';
import { warnOmitted } from './warn-omitted.ts';
import { printEnvTable } from './env-table.ts';

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
