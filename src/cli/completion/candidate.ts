/** One thing to offer. */
export interface Candidate {
  readonly text: string;
  /** One line that a shell may show beside it; may be empty. */
  readonly summary: string;
}

/** Candidates that need no words beside them. */
export const plain = (texts: readonly string[]): Candidate[] =>
  texts.map((text) => ({ text, summary: '' }));

/** The same behind what stands before them on the command line: `--state=`, `number,`, `web/`. */
export const prefixed = (prefix: string, list: readonly Candidate[]): Candidate[] =>
  prefix === ''
    ? [...list]
    : list.map(({ text, ...rest }) => ({ text: `${prefix}${text}`, ...rest }));
