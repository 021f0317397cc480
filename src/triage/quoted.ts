/** Quotes a word for POSIX shells, if necessary. */
export const quoted = (word: string): string =>
  /^[\w@%+:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
