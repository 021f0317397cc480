import { stringifyJson } from '../../api/json.ts';
import type { JobRef } from '../../api/refs.ts';
import { resource, text } from '../../api/resources/resource.ts';
import type { Handler, Input } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { looksSecret } from '../../dotenv/secret.ts';
import { usable, type Usable } from '../../dotenv/usable.ts';
import { writeDotenv } from '../../dotenv/write.ts';
import { usageError } from '../../errors.ts';
import { resolveJobRef } from '../../refs/resolve.ts';
import { runChild } from '../../terminal/child.ts';
import { ownFormat } from '../format.ts';
import type { jobEnv } from './env.ts';

type EnvInput = Input<typeof jobEnv>;

/** `cictl job env [JOB] [-- COMMAND ARGS...]`. */
export const run: Handler<typeof jobEnv> = async (input, context) => {
  const format = ownFormat(input.format, 'json', context);
  const runs = input.rest.length > 0;
  if (runs && format !== undefined) throw usageError('a format and -- COMMAND exclude each other');
  const ref = await resolveJobRef(context, input.job, {
    mutates: false,
    ...(input.build !== undefined && { build: input.build }),
  });
  if (runs) return runIn(ref, input.rest, context);
  return print(format ?? (context.out.isTerminal ? 'table' : 'dotenv'), ref, input, context);
};

async function print(
  format: string,
  ref: JobRef,
  { showSecrets }: EnvInput,
  context: Context,
): Promise<void> {
  const { out } = context;
  const { jobs } = await context.client();
  if (format === 'raw') return printRaw(await jobs.envText(ref), context);
  if (format === 'json') return printJson(await jobs.env(ref), context);
  if (format === 'table') {
    const { env } = await jobs.env(ref);
    return out.list(variable, rows(env ?? {}, showSecrets), { empty: 'no variables', ...asTable });
  }
  const { env } = await jobs.env(ref);
  const { text: lines, leftOut } = writeDotenv(env ?? {}, { exported: format === 'export' });
  tell(leftOut, context);
  return out.write(lines);
}

async function runIn(ref: JobRef, command: readonly string[], context: Context): Promise<number> {
  const { jobs } = await context.client();
  const { env } = await jobs.env(ref);
  const { variables, leftOut } = usable(env ?? {});
  tell(leftOut, context);
  return runChild(command, variables, context);
}

/** The service's own text: untouched in a pipe, printable on a terminal. */
const printRaw = (raw: string, { out }: Context): Promise<void> =>
  out.isTerminal ? out.line(raw.replace(/\n$/, '')) : out.write(raw);

const printJson = (value: object, { out }: Context): Promise<void> =>
  out.document(`${stringifyJson(value, out.isTerminal ? 2 : undefined)}\n`);

function tell(leftOut: Usable['leftOut'], { messages }: Context): void {
  for (const { name, why } of leftOut) {
    messages.warn(`${JSON.stringify(name)} is left out: ${why}`);
  }
}

const asTable = { format: 'table' } as const;

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
