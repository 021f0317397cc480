import type { Job } from '../../api/resources/job.ts';
import { usageError } from '../../errors.ts';
import { describedFields, type DescribedField } from '../described-fields.ts';

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
export function checkKnownFields(job: Job, values: Values): void {
  const fields = describedFields(job);
  if (fields === undefined) return;
  const unknown = Object.keys(values).find((key) => !fields.some((field) => field.key === key));
  if (unknown === undefined) return;
  const known =
    fields.length > 0 ? `its fields are ${fields.map(describe).join(', ')}` : 'it has no fields';
  throw usageError(`the block step has no field ${JSON.stringify(unknown)}; ${known}`);
}

/** The required fields that have neither a value nor a default. */
export const missingFields = (job: Job, values: Values): DescribedField[] =>
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
