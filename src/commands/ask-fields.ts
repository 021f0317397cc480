/** Asks a person for the fields of a block step, as its service describes them. */
import type { Job } from '../api/resources/job.ts';
import type { Context } from '../context.ts';

/**
 * The values by key of all fields, or of these; what is left empty has none. The service checks what
 * they are.
 */
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
      const value = read(field, text);
      const wrong = notAnOption(field, value);
      if (wrong === undefined) return value;
      messages.warn(`"${wrong}" is none of the options`);
      continue;
    }
    if (!field.required || field.default !== null) return undefined;
    messages.warn(`${field.label ?? field.key} needs a value`);
  }
}

function questionFor(field: DescribedField): string {
  const { label, key, required, options, multiple, format } = field;
  const notes = [
    ...(options.length > 0 ? [multiple ? 'numbers, with commas between' : 'its number'] : []),
    ...(format === null ? [] : [`matches ${format}`]),
    ...(field.default === null ? [] : [`default ${field.default}`]),
    ...(required ? [] : ['may be empty']),
  ];
  return `${label ?? key}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}: `;
}

/** Options by number or value. */
function read({ options, multiple }: DescribedField, text: string): string | string[] {
  if (options.length === 0) return text;
  const one = (word: string): string => options[Number(word) - 1]?.value ?? word;
  if (!multiple) return one(text);
  const words = text.split(',').map((word) => word.trim());
  return words.filter((word) => word !== '').map(one);
}

const notAnOption = ({ options }: DescribedField, value: string | string[]): string | undefined =>
  options.length === 0
    ? undefined
    : [value].flat().find((one) => options.every((option) => option.value !== one));

/** A field of a block step, as a service describes it. */
export interface DescribedField {
  readonly key: string;
  readonly label: string | null;
  readonly hint: string | null;
  /** Regular expression for the value. */
  readonly format: string | null;
  readonly required: boolean;
  readonly multiple: boolean;
  readonly default: string | null;
  /** Values to choose from; empty for free text. */
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/**
 * The fields of a block step; undefined where the service does not say. The public one does not send
 * them; another one sends a list of objects with `key`, of which nothing else is certain.
 */
export function describedFields({ fields }: Job): DescribedField[] | undefined {
  if (!Array.isArray(fields)) return undefined;
  return (fields as unknown[]).filter(isRecord).flatMap((field) => {
    const { key } = field;
    if (typeof key !== 'string') return [];
    return [
      {
        key,
        label: textOf(field['label'] ?? field['text'] ?? field['select']),
        hint: textOf(field['hint']),
        format: textOf(field['format']),
        required: field['required'] === true,
        multiple: field['multiple'] === true,
        default: defaultOf(field['default']),
        options: optionsOf(field['options']),
      },
    ];
  });
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Of several values a text with commas. */
const defaultOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : [value].flat().map(String).join(', ');

function optionsOf(options: unknown): DescribedField['options'] {
  return (Array.isArray(options) ? (options as unknown[]) : []).flatMap((option) => {
    const value = isRecord(option) ? option['value'] : option;
    if (typeof value !== 'string') return [];
    return [{ value, label: (isRecord(option) ? textOf(option['label']) : null) ?? value }];
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
