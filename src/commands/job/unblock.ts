import { job as resource, type Job } from '../../api/resources/job.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { pair } from '../../parse/pair.ts';
import { resolveJob } from '../../refs/resolve.ts';
import { blockedSteps } from '../pickable.ts';
import { readJsonObject } from '../read-value.ts';
import { checkBlockFields } from './block-fields.ts';
import type { jobUnblock } from './index.ts';

type UnblockInput = Input<typeof jobUnblock>;

/** `cictl job unblock [JOB]`. */
export const unblockJob: Handler<typeof jobUnblock> = async (input, context) => {
  const fields = await readFields(input, context);
  const { ref, job } = await resolveJob(context, input.job, {
    ...blockedSteps,
    mutates: true,
    ...(input.build !== undefined && { build: input.build }),
  });
  refuseUnblocked(job);
  const known = checkBlockFields(job, fields ?? {});
  if (known !== undefined && fields === undefined) {
    context.messages.note(`the block step has the fields ${known}; none is given a value`);
  }
  const { jobs } = await context.client();
  await context.out.changed(
    resource,
    () =>
      jobs.unblock(ref, {
        ...(input.unblocker !== undefined && { unblocker: input.unblocker }),
        ...(fields !== undefined && { fields }),
      }),
    'unblocked',
  );
};

/** Said here, since the service's own text ("must be blocked") leaves open what happened. */
function refuseUnblocked({ state, unblocked_at, unblocked_by, label, name, id }: Job): void {
  if (state !== 'unblocked') return;
  const who = unblocked_by?.name ? ` by ${unblocked_by.name}` : '';
  const when = unblocked_at ? ` at ${unblocked_at}` : '';
  const which = label ?? name ?? id ?? '';
  throw new CictlError('refused', `job "${which}" is unblocked already${who}${when}`);
}

async function readFields(
  { field, fieldsFile }: UnblockInput,
  context: Context,
): Promise<Record<string, unknown> | undefined> {
  if (fieldsFile === undefined) return field.length > 0 ? collect(field) : undefined;
  if (field.length > 0) throw usageError('--field and --fields-file cannot be used together');
  return readJsonObject(`@${fieldsFile}`, '--fields-file', context);
}

/** One key once is a string, more often a list. */
function collect(texts: readonly string[]): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const text of texts) {
    const [key, value] = pair(text, '--field');
    const before = fields.get(key);
    fields.set(key, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}
