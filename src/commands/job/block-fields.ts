import type { Job } from '../../api/resources/job.ts';
import { usageError } from '../../errors.ts';

/** A field of a block step, as far as the service describes it. */
interface Field {
  readonly key: string;
  readonly required: boolean;
  /** Values to choose from; empty for free text. */
  readonly options: readonly string[];
}

/**
 * Which fields the block step has, as `version (required), env (one of a, b)`; undefined where the
 * service does not say or there are none. Code 2 for values of fields that are not among them, and
 * for a required one that is missing.
 */
export function checkBlockFields(
  job: Job,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  const fields = fieldsOf(job);
  if (fields === undefined) return undefined;
  const fieldList = fields.map(describe).join(', ');
  const unknown = Object.keys(values).find((key) => !fields.some((field) => field.key === key));
  if (unknown !== undefined) {
    const known = fields.length > 0 ? `its fields are ${fieldList}` : 'it has no fields';
    throw usageError(`the block step has no field ${JSON.stringify(unknown)}; ${known}`);
  }
  const missing = fields.find(({ key, required }) => required && !Object.hasOwn(values, key));
  if (missing !== undefined) {
    throw usageError(
      `the block step needs a value for ${missing.key}; its fields are ${fieldList}`,
      `add --field ${missing.key}=VALUE`,
    );
  }
  return fieldList === '' ? undefined : fieldList;
}

/** The public service does not send them; another one sends a list of objects with `key`. */
function fieldsOf({ fields }: Job): Field[] | undefined {
  if (!Array.isArray(fields)) return undefined;
  return (fields as unknown[]).filter(isRecord).flatMap((field) => {
    const { key, required } = field;
    if (typeof key !== 'string') return [];
    const needed = required === true && (field['default'] ?? null) === null;
    return [{ key, required: needed, options: optionsOf(field['options']) }];
  });
}

const optionsOf = (options: unknown): string[] =>
  (Array.isArray(options) ? (options as unknown[]) : [])
    .map((option) => (isRecord(option) ? option['value'] : option))
    .filter((value) => typeof value === 'string');

function describe({ key, required, options }: Field): string {
  const notes = [
    ...(required ? ['required'] : []),
    ...(options.length > 0 ? [`one of ${options.join(', ')}`] : []),
  ];
  return notes.length > 0 ? `${key} (${notes.join('; ')})` : key;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
