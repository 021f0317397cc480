/** The colours of the page, for a light and for a dark system. */

/** Each has a contrast of 4.5 at least on what it stands on; a test measures all of them. */
export interface Scheme {
  readonly ink: string;
  readonly ground: string;
  /** The line that the address names: what can be read there can be read on `ground`. */
  readonly marked: string;
  /** The head of the page and of a section. */
  readonly bar: string;
  readonly rule: string;
  /** Numbers, times and what is said beside the log. */
  readonly quiet: string;
  readonly link: string;
  readonly good: string;
  readonly bad: string;
  readonly busy: string;
  /** The sixteen colours of a terminal as those of text without a background of its own. */
  readonly inks: readonly string[];
}

const colours = (text: string): string[] => text.trim().split(/\s+/);

export const light: Scheme = {
  ink: '#1f2328',
  ground: '#ffffff',
  marked: '#fff3c4',
  bar: '#f3f5f7',
  rule: '#d1d9e0',
  quiet: '#59636e',
  link: '#0550ae',
  good: '#116329',
  bad: '#b3202a',
  busy: '#7a4900',
  inks: colours(
    `#24292f #b3202a #116329 #7a4900 #0550ae #6f3bc4 #0f5f66 #57606a
     #4b535b #a40e26 #1a6b2f #633c01 #0a4bb0 #5e2ab0 #0a5560 #32383f`,
  ),
};

export const dark: Scheme = {
  ink: '#e6edf3',
  ground: '#0d1117',
  marked: '#332a10',
  bar: '#161b22',
  rule: '#30363d',
  quiet: '#9198a1',
  link: '#79b8ff',
  good: '#56d364',
  bad: '#ff8b83',
  busy: '#e3b341',
  inks: colours(
    `#9aa3ad #ff8b83 #4cc35e #d9a53a #79b0ff #c39aff #46c8d2 #c4ccd4
     #a3abb4 #ffa8a0 #6be07a #eac55f #9ccbff #d8b5ff #6bdde5 #ffffff`,
  ),
};

/** The sixteen as backgrounds, and as text on a background: the same in both schemes. */
export const solids = colours(
  `#010409 #b62324 #1f7a33 #d4a72c #1158c7 #8250df #1b7c83 #d0d7de
   #57606a #fa4549 #2da44e #f0c14b #388bfd #bf8cff #39c5cf #ffffff`,
);

/** The variable of each of the sixteen, where the page has them: `var(--c1)`. */
export const variable = (index: number): string => `--c${index}`;
