import type { BlockField, BlockStep } from '../pipeline/plan.ts';
import type { Job, Tree } from './records.ts';
import { Refusal } from './refusal.ts';
import { findJob } from './find-job.ts';
import { change } from './settle.ts';

export type FieldValues = Readonly<Record<string, string | readonly string[]>>;

export interface Unblocking {
  readonly userId: string | null;
  readonly fields: FieldValues;
}

/** Unblocks a blocked job and stores its fields as meta-data of the build. Throws `Refusal`. */
export function unblockJob(
  tree: Tree,
  jobId: string,
  { userId, fields }: Unblocking,
  at: number,
): Tree {
  const job = findJob(tree, jobId);
  const step = job && tree.plan.steps[job.step];
  if (job?.type !== 'manual' || (step?.type !== 'block' && step?.type !== 'input'))
    throw new Refusal('wrong', 'This job type cannot be unblocked');
  if (['canceled', 'canceling'].includes(tree.build.state))
    throw new Refusal('invalid', 'Jobs from canceled builds cannot be unblocked');
  if (job.state !== 'blocked') throw new Refusal('invalid', "The job's state must be blocked");
  const metaData = { ...tree.build.metaData, ...fill(step, fields) };
  const unblocked: Job = {
    ...job,
    state: 'unblocked',
    unblockedById: userId,
    unblockedAt: at,
    finishedAt: at,
  };
  return change(tree, { build: { ...tree.build, metaData }, jobs: [unblocked] }, at);
}

/**
 * Returns the values of all fields, including defaults. Multiple choices are separated by newlines.
 */
function fill({ fields }: BlockStep, input: FieldValues): Record<string, string> {
  const keys = fields.map(({ key }) => key);
  const unknown = Object.keys(input).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    const known = keys.length === 0 ? '' : ` (it has ${keys.join(', ')})`;
    throw new Refusal('invalid', `The block step has no field "${unknown}"${known}`);
  }
  return Object.fromEntries(
    fields.flatMap((field) => {
      const given = Object.hasOwn(input, field.key) ? input[field.key] : undefined;
      const value = valueOf(field, given);
      return value === undefined ? [] : [[field.key, value]];
    }),
  );
}

function valueOf(field: BlockField, input: FieldValues[string] | undefined): string | undefined {
  const values = [input ?? field.default ?? []].flat();
  if (field.required && values.every((one) => one === ''))
    throw new Refusal('invalid', `The field "${field.key}" is required`);
  if (!field.multiple && values.length > 1)
    throw new Refusal('invalid', `The field "${field.key}" only accepts one value`);
  const wrong = values.find((one) => field.format !== null && !hasFormat(one, field.format));
  if (wrong !== undefined)
    throw new Refusal(
      'invalid',
      `"${wrong}" does not match the format ${field.format ?? ''} of the field "${field.key}"`,
    );
  const choices = field.options.map((option) => option.value);
  const stranger = values.find((one) => field.kind === 'select' && !choices.includes(one));
  if (stranger !== undefined)
    throw new Refusal(
      'invalid',
      `"${stranger}" is not an option of the field "${field.key}" (${choices.join(', ')})`,
    );
  return values.length === 0 ? undefined : values.join('\n');
}

/** The entire value must match. Expressions that JavaScript does not support are ignored. */
function hasFormat(value: string, format: string): boolean {
  try {
    return new RegExp(`^(?:${format})$`).test(value);
  } catch {
    return true;
  }
}
