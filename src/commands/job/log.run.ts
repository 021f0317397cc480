import type { JobRef } from '../../api/refs.ts';
import { stringifyJson } from '../../api/json.ts';
import type { Handler } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { pump } from '../../log/stage.ts';
import { settle } from '../../log/settle.ts';
import { resolveJobRef } from '../../refs/resolve.ts';
import { isFailedJob } from './failed.ts';
import { ownFormat } from '../format.ts';
import { writeBeside } from '../write.ts';
import type { jobLog } from './log.ts';

/** `cictl job log [JOB]`. */
export const run: Handler<typeof jobLog> = async (input, context) => {
  const format = ownFormat(input.format, 'json', context) ?? 'text';
  const ref = await resolveJobRef(context, input.job, {
    mutates: false,
    among: { word: 'failed', test: isFailedJob },
    ...(input.build !== undefined && { build: input.build }),
  });
  if (format === 'json' && asksForValues(context)) return printValues(ref, context);
  const chunks = await logBytes(ref, format, context);
  if (input.out !== undefined) return writeBeside(input.out, chunks, context);
  for await (const chunk of chunks) await context.out.write(chunk);
};

async function logBytes(
  ref: JobRef,
  format: string,
  context: Context,
): Promise<AsyncIterable<Uint8Array>> {
  const { jobs } = await context.client();
  const { body } = await (format === 'json' ? jobs.logJson(ref) : jobs.logText(ref));
  return format === 'text' ? pump(body, settle()) : body;
}

const asksForValues = ({ settings }: Context): boolean =>
  settings.jq !== undefined || settings.fields !== undefined;

async function printValues(ref: JobRef, context: Context): Promise<void> {
  const { jobs } = await context.client();
  await context.out.document(stringifyJson(await jobs.log(ref), 2));
}
