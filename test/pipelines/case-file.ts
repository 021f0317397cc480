/**
 * A case of the corpus: one file with a small repository and the expected outcome of its pipeline.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The YAML at the start of the file. */
export interface Expectation extends BuildExpectation {
  readonly about: string;
  /** Arguments after `cictl run --json`, separated by spaces. */
  readonly run?: string;
  /** The branch of the checkout, to which `change:` sections are committed. Default `main`. */
  readonly branch?: string;
  /** Additional variables of the shell in which the tool runs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly exit: number;
  /** Substrings of standard error. */
  readonly stderr?: readonly string[];
  /** Actions of a user afterwards. */
  readonly then?: readonly Action[];
  /** Other builds, by `PIPELINE/NUMBER`. */
  readonly builds?: Readonly<Record<string, BuildExpectation>>;
}

export interface BuildExpectation {
  /** The state of the build; omitted if the file is rejected. */
  readonly build?: string;
  /**
   * By key or label, in the notation of `outcome.ts`; a list if several jobs have the same name.
   */
  readonly jobs?: Readonly<Record<string, string | readonly string[]>>;
  /** The jobs that ran, in the order in which they started. */
  readonly order?: readonly string[];
  /** Substrings of a job's log in order; `!` marks text that must not occur. */
  readonly logs?: Readonly<Record<string, readonly string[]>>;
  /** All artifacts by path, with a substring of their content. */
  readonly artifacts?: Readonly<Record<string, string>>;
  /** All annotations by context: style, a colon, and the body. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly meta_data?: Readonly<Record<string, string>>;
}

/** Unblocks a block step or retries a job, and watches the build until it exits with this code. */
export interface Action {
  readonly unblock?: string;
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
  readonly retry?: string;
  readonly exit: number;
}

export interface Section {
  /** Where the file belongs: '' for the checkout, otherwise the words before the colon. */
  readonly place: string;
  readonly path: string;
  readonly text: string;
}

export interface Case {
  readonly expected: Expectation;
  readonly sections: readonly Section[];
}

/** Sections start with `-- PATH --` or `-- PLACE: PATH --`. */
export function readCase(path: string): Case {
  const [head = '', ...rest] = readFileSync(path, 'utf8').split(/^-- (.+) --\n/m);
  const sections = rest.flatMap((title, index) =>
    index % 2 === 0 ? [sectionOf(title, rest[index + 1] ?? '')] : [],
  );
  return { expected: parse(head) as Expectation, sections };
}

function sectionOf(title: string, text: string): Section {
  const [, place = '', path = title] = /^(.+?): (.+)$/.exec(title) ?? [];
  return { place, path, text };
}

/** By `PIPELINE/NUMBER`, the checkout's build first. */
export const allBuilds = (expected: Expectation): Readonly<Record<string, BuildExpectation>> =>
  expected.build === undefined ? {} : { 'demo/1': expected, ...expected.builds };
