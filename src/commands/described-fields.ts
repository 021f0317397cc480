import type { Job } from '../api/resources/job.ts';

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
