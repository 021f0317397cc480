import { eastAsianWidth } from 'get-east-asian-width';

/**
 * The columns that one character takes on a terminal: 0, 1 or 2. As `string-width` says, which is
 * for whole texts and takes 30 ms to load.
 */
export function columnsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return code === 0xad ? 0 : 1;
  const cached = code < columns.length ? columns[code] : 0;
  if (cached !== undefined && cached > 0) return cached - 1;
  const width = isInvisible(character) ? 0 : eastAsianWidth(code);
  if (code < columns.length) columns[code] = width + 1;
  return width;
}

/** Marks on the character before, joiners and the like. */
const isInvisible = (character: string): boolean =>
  /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u.test(character);

/** One more than the columns, where they are known; 0 where not. */
const columns = new Uint8Array(0x20000);
