/** A word as a POSIX shell takes it: quoted only where it must be. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(text)
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
