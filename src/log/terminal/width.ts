import { eastAsianWidth } from 'get-east-asian-width';

/**
 * The columns that a character takes on a terminal, by its code point: 0, 1 or 2. As
 * `string-width` says, which is for whole texts and takes 30 ms to load.
 */
export function columnsOf(code: number): number {
  if (code < 0x300) return code === 0xad ? 0 : 1;
  if (code >= known.length) return width(code);
  const cached = known[code] as number;
  if (cached > 0) return cached - 1;
  const result = width(code);
  known[code] = result + 1;
  return result;
}

/** One more than the columns, where they are known; 0 where not. */
const known = new Uint8Array(0x20000);

const width = (code: number): number =>
  isInvisible(String.fromCodePoint(code)) ? 0 : eastAsianWidth(code);

/** Marks on the character before, joiners and the like. */
const isInvisible = (character: string): boolean =>
  /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u.test(character);
