import stringWidth from 'string-width';

/** The columns that one character takes on a terminal: 0, 1 or 2. */
export function columnsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return code === 0xad ? 0 : 1;
  const cached = code < columns.length ? columns[code] : 0;
  if (cached !== undefined && cached > 0) return cached - 1;
  const width = Math.min(2, stringWidth(character));
  if (code < columns.length) columns[code] = width + 1;
  return width;
}

/** One more than the columns, where they are known; 0 where not. */
const columns = new Uint8Array(0x20000);
