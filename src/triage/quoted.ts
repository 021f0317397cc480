/** A word as every POSIX shell reads it back. */
export const quoted = (word: string): string =>
  /^[\w@%+:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
