/** Asks a person for the fields of a block step, as its service describes them. */
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { describedFields, type DescribedField } from '../described-fields.ts';

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
