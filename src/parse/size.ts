/** Sizes as users type them: `500kB`, `10MB`, `1GiB`; a bare number is bytes. */

const sizeForm = /^(\d+(?:\.\d+)?) ?(?:([kmgt])(i?)(b?)|b)?$/i;

/** Bytes, or undefined if the text is not a size of at least one byte. `10M` is `10MiB`, as in most tools. */
export function sizeOf(text: string): number | undefined {
  const [matched, number, unit = '', binary = '', b = ''] = sizeForm.exec(text.trim()) ?? [];
  if (matched === undefined) return undefined;
  const base = unit === '' || (binary === '' && b !== '') ? 1000 : 1024;
  const size = Math.round(Number(number) * base ** ' kmgt'.indexOf(unit.toLowerCase() || ' '));
  return size >= 1 && Number.isSafeInteger(size) ? size : undefined;
}
