/** A case of the corpus: one file with a small repository and the outcome of its pipeline. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What stands at the head of the file, in YAML. */
export interface Expectation extends BuildExpectation {
  readonly about: string;
  /** Arguments behind `cictl run --json`, parted by spaces. */
  readonly run?: string;
  /** Branch of the checkout, with what `change:` sections commit on it; default `main`. */
  readonly branch?: string;
  /** Further variables of the shell in which the tool runs. */
  readonly env?: Readonly<Record<string, string>>;
  readonly exit: number;
  /** Parts of the error output. */
  readonly stderr?: readonly string[];
  /** What a person does afterwards. */
  readonly then?: readonly Action[];
  /** Other builds by `PIPELINE/NUMBER`. */
  readonly builds?: Readonly<Record<string, BuildExpectation>>;
}

export interface BuildExpectation {
  /** Its state; none where the file is refused. */
  readonly build?: string;
  /** By key or label, as `outcome.ts` writes them; a list where several have one name. */
  readonly jobs?: Readonly<Record<string, string | readonly string[]>>;
  /** The jobs that ran, in the order in which they began. */
  readonly order?: readonly string[];
  /** Parts of the log of a job in their order; with `!` in front what it does not have. */
  readonly logs?: Readonly<Record<string, readonly string[]>>;
  /** All of them by path, with a part of the content. */
  readonly artifacts?: Readonly<Record<string, string>>;
  /** All of them by context: style, a colon, and the body. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly meta_data?: Readonly<Record<string, string>>;
}

/** A block is unblocked or a job run again, and the build watched until it exits so. */
export interface Action {
  readonly unblock?: string;
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
  readonly retry?: string;
  readonly exit: number;
}

export interface Section {
  /** Where the file goes: '' for the checkout, else the words before the colon. */
  readonly place: string;
  readonly path: string;
  readonly text: string;
}

export interface Case {
  readonly expected: Expectation;
  readonly sections: readonly Section[];
}

/** Sections begin with `-- PATH --` or `-- PLACE: PATH --`. */
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

/** By `PIPELINE/NUMBER`, first that of the checkout. */
export const allBuilds = (expected: Expectation): Readonly<Record<string, BuildExpectation>> =>
  expected.build === undefined ? {} : { 'demo/1': expected, ...expected.builds };
