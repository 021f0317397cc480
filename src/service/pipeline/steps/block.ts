import type { BlockStep, BlockField } from '../plan.ts';
import {
  aliased,
  choice,
  items,
  optionalText,
  type Reading,
  flag,
  invalid,
  isNull,
  text,
} from '../reading.ts';
import type { Mapping, Value } from '../value.ts';
import { readBase, readLabel, type StepContext } from './base.ts';
import { checkKeys, type Keys } from '../keys.ts';

const blockedStates = ['passed', 'failed', 'running'] as const;

export function readBlock(
  reading: Reading,
  step: Mapping,
  type: BlockStep['type'],
  context: StepContext,
): BlockStep {
  const { entries } = step;
  const named = aliased(reading, step, type === 'block' ? ['block', 'manual'] : ['input']);
  const label = readLabel(reading, step, named);
  return {
    ...readBase(reading, step, type === 'block' ? 'gate' : 'step', label, context),
    type,
    prompt: optionalText(reading, entries.get('prompt')),
    fields: readFields(reading, items(reading, entries.get('fields'))),
    blockedState: choice(reading, entries.get('blocked_state'), blockedStates, 'passed'),
  };
}

const shared = ['key', 'hint', 'required', 'default'];
const textKeys: Keys = { name: 'a text field', run: [...shared, 'text', 'format'] };
const selectKeys: Keys = {
  name: 'a select field',
  run: [...shared, 'select', 'options', 'multiple'],
};
const optionKeys: Keys = { name: 'an option', run: ['label', 'value', 'hint', 'required'] };

function readFields(reading: Reading, values: readonly Value[]): BlockField[] {
  const keys = new Set<string>();
  return values.flatMap((value) => {
    const field = readField(reading, value);
    if (field === undefined) return [];
    if (keys.has(field.key)) reading.problem(value.at, `two fields have the key \`${field.key}\``);
    keys.add(field.key);
    return [field];
  });
}

function readField(reading: Reading, value: Value): BlockField | undefined {
  if (value.kind !== 'mapping' || value.entries.has('text') === value.entries.has('select')) {
    reading.problem(value.at, 'a field must have either `text` or `select`');
    return;
  }
  const kind = value.entries.has('text') ? 'text' : 'select';
  checkKeys(reading, value, kind === 'text' ? textKeys : selectKeys);
  const field: BlockField = {
    key: readFieldKey(reading, value),
    kind,
    label: optionalText(reading, value.entries.get(kind)),
    hint: optionalText(reading, value.entries.get('hint')),
    format: readFormat(reading, value),
    required: flag(reading, value.entries.get('required'), true),
    multiple: flag(reading, value.entries.get('multiple'), false),
    default: readDefault(reading, value),
    options: items(reading, value.entries.get('options')).map((one) => readOption(reading, one)),
  };
  checkSelect(reading, value, field);
  return field;
}

function readFieldKey(reading: Reading, field: Mapping): string {
  const key = optionalText(reading, field.entries.get('key')) ?? '';
  if (!/^[A-Za-z0-9_/-]{1,100}$/.test(key))
    reading.problem(field.at, 'a field needs a `key` of letters, digits, `_`, `-` and `/`');
  return key;
}

function readFormat(reading: Reading, field: Mapping): string | null {
  const entry = field.entries.get('format');
  const format = optionalText(reading, entry);
  if (entry === undefined || format === null) return null;
  try {
    new RegExp(format);
  } catch {
    reading.problem(entry.value.at, '`format` is not a valid regular expression');
  }
  return format;
}

function readDefault(reading: Reading, field: Mapping): string | string[] | null {
  const entry = field.entries.get('default');
  if (entry === undefined || isNull(entry.value)) return null;
  if (entry.value.kind !== 'list') return text(reading, entry.value, '`default`');
  return entry.value.items.map((item) => text(reading, item, '`default`'));
}

function readOption(reading: Reading, value: Value): { label: string; value: string } {
  if (value.kind !== 'mapping' || !value.entries.has('value')) {
    const empty = { label: '', value: '' };
    return invalid(reading, value, 'an option must have `label` and `value`', empty);
  }
  checkKeys(reading, value, optionKeys);
  const chosen = optionalText(reading, value.entries.get('value')) ?? '';
  return { label: optionalText(reading, value.entries.get('label')) ?? chosen, value: chosen };
}

function checkSelect(reading: Reading, { at }: Mapping, field: BlockField): void {
  const chosen = field.default === null ? [] : [field.default].flat();
  if (Array.isArray(field.default) && !field.multiple)
    reading.problem(at, 'a `default` with several values needs `multiple: true`');
  if (field.kind === 'text') return;
  if (field.options.length === 0) reading.problem(at, 'a select field needs `options`');
  const strange = chosen.find((one) => !field.options.some(({ value }) => value === one));
  if (strange !== undefined)
    reading.problem(at, `\`default: ${strange}\` is not one of the options`);
}
