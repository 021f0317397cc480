import type { Job } from '../api/resources/job.ts';
import type { Context } from '../context.ts';

/** Prompts for the fields of a block step. Omits empty fields. The service validates the values. */
export async function askFields(
  job: Job,
  context: Pick<Context, 'prompts' | 'messages'>,
  fields = describedFields(job) ?? [],
): Promise<Record<string, string | string[]>> {
  const values: Record<string, string | string[]> = {};
  for (const field of fields) {
    const value = await askField(field, context);
    if (value !== undefined) values[field.key] = value;
  }
  return values;
}

async function askField(
  field: DescribedField,
  { prompts, messages }: Pick<Context, 'prompts' | 'messages'>,
): Promise<string | string[] | undefined> {
  if (field.hint !== null) messages.note(field.hint);
  field.options.forEach(({ label, value }, at) => {
    messages.note(`  ${at + 1}) ${label === value ? value : `${label} (${value})`}`);
  });
  for (;;) {
    const text = (await prompts.text(questionFor(field))).trim();
    if (text !== '') {
      const value = parseAnswer(field, text);
      const invalid = [value]
        .flat()
        .find((one) => field.options.every((option) => option.value !== one));
      if (field.options.length === 0 || invalid === undefined) return value;
      messages.warn(`"${invalid}" is not one of the options`);
      continue;
    }
    if (!field.required || field.default !== null) return undefined;
    messages.warn(`${field.label ?? field.key} is required`);
  }
}

function questionFor(field: DescribedField): string {
  const { label, key, required, options, multiple, format } = field;
  const notes = [
    ...(options.length > 0 ? [multiple ? 'comma-separated numbers' : 'number'] : []),
    ...(format === null ? [] : [`must match ${format}`]),
    ...(field.default === null ? [] : [`default ${field.default}`]),
    ...(required ? [] : ['optional']),
  ];
  return `${label ?? key}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}: `;
}

function parseAnswer({ options, multiple }: DescribedField, text: string): string | string[] {
  if (options.length === 0) return text;
  const one = (word: string): string => options[Number(word) - 1]?.value ?? word;
  if (!multiple) return one(text);
  const words = text.split(',').map((word) => word.trim());
  return words.filter((word) => word !== '').map(one);
}

export interface DescribedField {
  readonly key: string;
  readonly label: string | null;
  readonly hint: string | null;
  /** A regular expression that the value must match. */
  readonly format: string | null;
  readonly required: boolean;
  readonly multiple: boolean;
  readonly default: string | null;
  /** Empty if any value is allowed. */
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/**
 * The fields of a block step, or undefined if the service does not send them (the public service
 * does not). Other services may send a list of objects in which only `key` is guaranteed to exist.
 */
export function describedFields({ fields }: Job): DescribedField[] | undefined {
  if (!Array.isArray(fields)) return undefined;
  return (fields as unknown[]).filter(isRecord).flatMap((field) => {
    const { key, default: fallback } = field;
    if (typeof key !== 'string') return [];
    return [
      {
        key,
        label: textOf(field['label'] ?? field['text'] ?? field['select']),
        hint: textOf(field['hint']),
        format: textOf(field['format']),
        required: field['required'] === true,
        multiple: field['multiple'] === true,
        default: fallback == null ? null : [fallback].flat().map(String).join(', '),
        options: optionsOf(field['options']),
      },
    ];
  });
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function optionsOf(options: unknown): DescribedField['options'] {
  return (Array.isArray(options) ? (options as unknown[]) : []).flatMap((option) => {
    const value = isRecord(option) ? option['value'] : option;
    if (typeof value !== 'string') return [];
    return [{ value, label: (isRecord(option) ? textOf(option['label']) : null) ?? value }];
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
