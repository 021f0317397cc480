import { job as resource, type Job } from '../../api/resources/job.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { pair } from '../../parse/flag-values.ts';
import { resolveJob } from '../../refs/resolve.ts';
import { blockedSteps } from '../pickable.ts';
import { readJsonObject } from '../read-value.ts';
import type { jobUnblock } from './index.ts';
import type { JobRef } from '../../api/refs.ts';
import { describedFields, type DescribedField, askFields } from '../ask-fields.ts';

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

// Asks for the fields of a block step that `job unblock` was not given.

type Fields = Readonly<Record<string, unknown>>;

/** All of them where none has a value; else those alone without which the service refuses. */
function fieldsToAsk(
  job: Job,
  given: Fields | undefined,
  { prompts, settings }: Context,
): DescribedField[] {
  if (!prompts.available || job.state !== 'blocked') return [];
  if (given !== undefined || settings.yes) return missingFields(job, given ?? {});
  return describedFields(job) ?? [];
}

interface Asking {
  readonly ref: JobRef;
  readonly job: Job;
  readonly given: Fields | undefined;
  readonly asked: DescribedField[];
  readonly send: (fields: Fields | undefined) => Promise<void>;
}

/** Asks with the step's own words, and again for what the service does not take. */
async function askAndSend(asking: Asking, context: Context): Promise<void> {
  const { job, given, asked, send } = asking;
  if (job.prompt) context.messages.note(job.prompt);
  for (;;) {
    const fields = { ...given, ...(await askFields(job, context, asked)) };
    try {
      await send(Object.keys(fields).length > 0 ? fields : undefined);
      return;
    } catch (error) {
      const isRefused = error instanceof CictlError && error.status === 422;
      if (!isRefused || !(await isStillBlocked(asking, context))) throw error;
      context.messages.warn([error.message, ...error.details].join('; '));
    }
  }
}

/** Somebody else may have been faster: then other values help nobody. */
async function isStillBlocked({ ref }: Asking, context: Context): Promise<boolean> {
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref);
  return (jobs ?? []).some(({ id, state }) => id === ref.job && state === 'blocked');
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Which fields the block step has, as `version (required), env (one of a, b)`; undefined where the
 * service does not say or there are none. Code 2 for values of fields that are not among them, and
 * for a required one that is missing.
 */
export function checkBlockFields(job: Job, values: Values): string | undefined {
  const fields = describedFields(job);
  if (fields === undefined) return undefined;
  checkKnownFields(job, values);
  const fieldList = fields.map(describe).join(', ');
  const [missing] = missingFields(job, values);
  if (missing !== undefined) {
    throw usageError(
      `the block step needs a value for ${missing.key}; its fields are ${fieldList}`,
      `add --field ${missing.key}=VALUE`,
    );
  }
  return fieldList === '' ? undefined : fieldList;
}

/** Code 2 for values of fields that the block step has not. */
function checkKnownFields(job: Job, values: Values): void {
  const fields = describedFields(job);
  if (fields === undefined) return;
  const unknown = Object.keys(values).find((key) => !fields.some((field) => field.key === key));
  if (unknown === undefined) return;
  const known =
    fields.length > 0 ? `its fields are ${fields.map(describe).join(', ')}` : 'it has no fields';
  throw usageError(`the block step has no field ${JSON.stringify(unknown)}; ${known}`);
}

/** The required fields that have neither a value nor a default. */
const missingFields = (job: Job, values: Values): DescribedField[] =>
  (describedFields(job) ?? []).filter(
    (field) => isNeeded(field) && !Object.hasOwn(values, field.key),
  );

const isNeeded = ({ required, default: fallback }: DescribedField): boolean =>
  required && fallback === null;

function describe(field: DescribedField): string {
  const { key, options } = field;
  const notes = [
    ...(isNeeded(field) ? ['required'] : []),
    ...(options.length > 0 ? [`one of ${options.map(({ value }) => value).join(', ')}`] : []),
  ];
  return notes.length > 0 ? `${key} (${notes.join('; ')})` : key;
}
