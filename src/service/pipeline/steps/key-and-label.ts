/** What steps of every kind have: a key and a label. */
import type { Entry, Mapping } from '../value.ts';
import { aliased, optionalText, type Reading } from '../reading.ts';

/** Step keys: no UUID, since jobs are named by either. */
const keyForm = /^[A-Za-z0-9_:-]{1,100}$/;
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `key`, `id` or `identifier`. */
export function readKey(reading: Reading, step: Mapping): string | null {
  const entry = aliased(reading, step, ['key', 'id', 'identifier']);
  const key = optionalText(reading, entry);
  if (entry === undefined || key === null) return null;
  if (!keyForm.test(key) || uuidForm.test(key)) {
    const rule = key.includes('{{matrix')
      ? 'the jobs of a matrix are one step, and share its key'
      : 'letters, digits, `_`, `-` and `:`, and no UUID';
    reading.problem(entry.value.at, `\`${key}\` is no key of a step (${rule})`);
  }
  return key;
}

/** `label` or `name`, else the value under the key that names the kind (`block: Release`). */
export function readLabel(reading: Reading, step: Mapping, kind?: Entry): string | null {
  const entry = aliased(reading, step, ['label', 'name']);
  return optionalText(reading, entry) ?? optionalText(reading, kind);
}
