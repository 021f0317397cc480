import type { JobRef } from '../../api/refs.ts';
import { job as resource, type Job } from '../../api/resources/job.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { pair } from '../../parse/flag-values.ts';
import { resolveJob } from '../../refs/resolve.ts';
import { askFields, describedFields, type DescribedField } from '../ask-fields.ts';
import { blockedSteps } from '../pickable.ts';
import { readJsonObject } from '../read-value.ts';
import type { jobUnblock } from './index.ts';

type Values = Readonly<Record<string, unknown>>;

export const unblockJob: Handler<typeof jobUnblock> = async (input, context) => {
  const { unblocker, build } = input;
  const given = await readFields(input, context);
  const options = { ...blockedSteps, mutates: true, build };
  const { ref, job } = await resolveJob(context, input.job, options);
  refuseUnblocked(job);
  checkKnownFields(job, given ?? {});
  const send = async (fields: Values | undefined): Promise<void> => {
    const { jobs } = await context.client();
    const body = {
      ...(unblocker !== undefined && { unblocker }),
      ...(fields !== undefined && { fields }),
    };
    await context.out.changed(resource, () => jobs.unblock(ref, body), 'unblocked');
  };
  const missing = fieldsToAsk(job, given, context);
  if (missing.length > 0) {
    const ask = async () => ({ ...given, ...(await askFields(job, context, missing)) });
    return askAndSend(ref, job, ask, send, context);
  }
  const fields = checkBlockFields(job, given ?? {});
  if (fields !== undefined && given === undefined)
    context.messages.note(`no values given for the fields of the block step: ${fields}`);
  await send(given);
};

/** Names the user who unblocked the job, because the service only says "must be blocked". */
function refuseUnblocked({ state, unblocked_at, unblocked_by, label, name, id }: Job): void {
  if (state !== 'unblocked') return;
  const who = unblocked_by?.name ? ` by ${unblocked_by.name}` : '';
  const when = unblocked_at ? ` at ${unblocked_at}` : '';
  const which = label ?? name ?? id ?? '';
  throw new CictlError('refused', `job "${which}" was already unblocked${who}${when}`);
}

/** Returns the field values. A key that is given several times has a list as its value. */
async function readFields(
  { field, fieldsFile }: Input<typeof jobUnblock>,
  context: Context,
): Promise<Values | undefined> {
  if (fieldsFile !== undefined) {
    if (field.length > 0) throw usageError('--field and --fields-file cannot be used together');
    return readJsonObject(`@${fieldsFile}`, '--fields-file', context);
  }
  const fields = new Map<string, string | string[]>();
  for (const text of field) {
    const [key, value] = pair(text, '--field');
    const before = fields.get(key);
    fields.set(key, before === undefined ? value : [before, value].flat());
  }
  return fields.size > 0 ? Object.fromEntries(fields) : undefined;
}

/** The fields to prompt for. With `--yes` or any values, only required fields without a value. */
function fieldsToAsk(
  job: Job,
  given: Values | undefined,
  { prompts, settings }: Context,
): DescribedField[] {
  if (!prompts.available || job.state !== 'blocked') return [];
  if (given !== undefined || settings.yes) return missingFields(job, given ?? {});
  return describedFields(job) ?? [];
}

/** Prompts again if the service rejects the values. */
async function askAndSend(
  ref: JobRef,
  job: Job,
  ask: () => Promise<Values>,
  send: (fields: Values | undefined) => Promise<void>,
  context: Context,
): Promise<void> {
  if (job.prompt) context.messages.note(job.prompt);
  for (;;) {
    const fields = await ask();
    try {
      await send(Object.keys(fields).length > 0 ? fields : undefined);
      return;
    } catch (error) {
      if (!(error instanceof CictlError) || error.status !== 422) throw error;
      // If another user has already unblocked the job, no other value would be accepted.
      const { builds } = await context.client();
      const { jobs = [] } = await builds.get(ref);
      if (!jobs?.some(({ id, state }) => id === ref.job && state === 'blocked')) throw error;
      context.messages.warn([error.message, ...error.details].join('; '));
    }
  }
}

/**
 * Describes the fields of a block step: `version (required), env (one of a, b)`. Undefined if there
 * are none, or if the service does not send them. Exit code 2 if a value is for an unknown field,
 * or if a required value is missing.
 */
export function checkBlockFields(job: Job, values: Values): string | undefined {
  const fields = describedFields(job);
  if (fields === undefined) return undefined;
  checkKnownFields(job, values);
  const fieldList = fields.map(describe).join(', ');
  const [missing] = missingFields(job, values);
  if (missing !== undefined)
    throw usageError(
      `the block step requires a value for ${missing.key}; its fields are ${fieldList}`,
      `cictl job unblock ... --field ${missing.key}=VALUE`,
    );
  return fieldList === '' ? undefined : fieldList;
}

function checkKnownFields(job: Job, values: Values): void {
  const fields = describedFields(job);
  if (fields === undefined) return;
  const unknown = Object.keys(values).find((key) => !fields.some((field) => field.key === key));
  if (unknown === undefined) return;
  const known =
    fields.length > 0 ? `its fields are ${fields.map(describe).join(', ')}` : 'it has no fields';
  throw usageError(`the block step has no field ${JSON.stringify(unknown)}; ${known}`);
}

const missingFields = (job: Job, values: Values): DescribedField[] =>
  (describedFields(job) ?? []).filter(
    (field) => isRequired(field) && !Object.hasOwn(values, field.key),
  );

/** Whether a value must be given. A required field with a default does not need one. */
const isRequired = ({ required, default: fallback }: DescribedField): boolean =>
  required && fallback === null;

function describe(field: DescribedField): string {
  const { key, options } = field;
  const notes = [
    ...(isRequired(field) ? ['required'] : []),
    ...(options.length > 0 ? [`one of ${options.map(({ value }) => value).join(', ')}`] : []),
  ];
  return notes.length > 0 ? `${key} (${notes.join('; ')})` : key;
}
