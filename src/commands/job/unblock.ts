import { job as resource, type Job } from '../../api/resources/job.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { pair } from '../../parse/pair.ts';
import { resolveJob } from '../../refs/resolve.ts';
import { blockedSteps } from '../pickable.ts';
import { readJsonObject } from '../read-value.ts';
import { askAndSend, fieldsToAsk, type Fields } from './ask-and-send.ts';
import { checkBlockFields, checkKnownFields } from './block-fields.ts';
import type { jobUnblock } from './index.ts';

type UnblockInput = Input<typeof jobUnblock>;

/** `cictl job unblock [JOB]`. */
export const unblockJob: Handler<typeof jobUnblock> = async (input, context) => {
  const given = await readFields(input, context);
  const { ref, job } = await resolveJob(context, input.job, {
    ...blockedSteps,
    mutates: true,
    ...(input.build !== undefined && { build: input.build }),
  });
  refuseUnblocked(job);
  checkKnownFields(job, given ?? {});
  const asked = fieldsToAsk(job, given, context);
  const send = async (fields: Fields | undefined): Promise<void> => {
    const { jobs } = await context.client();
    const body = {
      ...(input.unblocker !== undefined && { unblocker: input.unblocker }),
      ...(fields !== undefined && { fields }),
    };
    await context.out.changed(resource, () => jobs.unblock(ref, body), 'unblocked');
  };
  if (asked.length > 0) return askAndSend({ ref, job, given, asked, send }, context);
  noteFields(job, given, context);
  await send(given);
};

function noteFields(job: Job, given: Fields | undefined, { messages }: Context): void {
  const known = checkBlockFields(job, given ?? {});
  if (known !== undefined && given === undefined)
    messages.note(`the block step has the fields ${known}; none is given a value`);
}

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
