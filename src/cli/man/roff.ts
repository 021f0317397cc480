/** The few pieces of roff that the manual pages are written in; macros of `man(7)`. */

/**
 * A text as roff prints it, letter for letter: a hyphen that can be copied as one, straight quotes, and
 * no line that is taken for a request.
 */
export const escape = (text: string): string =>
  text.replace(/[^\n\x20-\x7e]|[\\\-'"`^~]/gu, escaped).replace(/^(?=\.)/gm, String.raw`\&`);

const names: Readonly<Record<string, string>> = {
  '\\': String.raw`\(rs`,
  '-': String.raw`\-`,
  "'": String.raw`\(aq`,
  '"': String.raw`\(dq`,
  '`': String.raw`\(ga`,
  '^': String.raw`\(ha`,
  '~': String.raw`\(ti`,
};

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

export const bold = (text: string): string => String.raw`\fB${escape(text)}\fR`;
export const italic = (text: string): string => String.raw`\fI${escape(text)}\fR`;

/** Under a heading; nothing where it has no lines. */
export const section = (title: string, ...lines: string[]): string[] =>
  lines.length === 0 ? [] : [`.SH ${escape(title)}`, ...lines];

/** A term that is roff already, and the text that explains it, indented. */
export const item = (term: string, text: string): string[] => ['.TP', term, escape(text)];

/** Lines as they are. */
export const verbatim = (text: string): string[] => ['.nf', escape(text.trimEnd()), '.fi'];

/** Another page, as pages name each other: `cictl-builds(1)`. */
export const reference = (name: string): string =>
  String.raw`\fB${escape(name.replaceAll(' ', '-'))}\fR(1)`;
