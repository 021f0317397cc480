import {
  notAName,
  notForShells,
  usable,
  type Usable,
  type OmittedVariable,
  type OmissionRule,
} from './usable.ts';
import type { ReaderName } from './reader-names.ts';

export interface DotenvText {
  readonly text: string;
  readonly omitted: Usable['omitted'];
}

interface Options {
  readonly exported?: boolean;
  readonly allNames?: boolean;
}

/** Writes variables for a POSIX shell. Sourcing them restores every value and runs no command. */
export function writeDotenv(
  env: Readonly<Record<string, unknown>>,
  { exported = false, allNames = false }: Options = {},
): DotenvText {
  const { variables, omitted } = usable(env, allNames ? notAName : notForShells);
  const prefix = exported ? 'export ' : '';
  const lines = Object.entries(variables).map(
    ([name, value]) => `${prefix}${name}=${quoteForShell(value)}\n`,
  );
  return { text: lines.join(''), omitted };
}

// Tools other than shells that read dotenv files. None of them parses all shell quotes, and each
// has values that it cannot represent: see the table in docs/job-env.md.

type Quoted = { readonly text: string } | { readonly reason: string };

interface Reader {
  readonly takesName: RegExp;
  readonly quote: (value: string, name: string) => Quoted;
  /** Name of a variable that affects the tool itself */
  readonly obeys?: string;
}

/**
 * Omits variables that the tool cannot represent. Without `allNames`, also omits the variable that
 * affects the tool itself.
 */
export function writeForReader(
  name: ReaderName,
  env: Readonly<Record<string, unknown>>,
  { allNames = false }: { allNames?: boolean } = {},
): DotenvText {
  const reader = readers[name];
  const { variables, omitted } = usable(env, omissionRule(name, reader, allNames));
  const lines = Object.entries(variables).map(([key, value]) => {
    const quoted = reader.quote(value, key);
    return 'text' in quoted ? `${key}=${quoted.text}\n` : '';
  });
  return { text: lines.join(''), omitted };
}

const omissionRule =
  (reader: ReaderName, { takesName, quote, obeys }: Reader, allNames: boolean): OmissionRule =>
  (name, value): OmittedVariable['reason'] | undefined => {
    if (!takesName.test(name)) return `the name is not valid for ${reader}`;
    if (!allNames && name === obeys)
      return `the name is special to ${reader}; to include it: --all-names`;
    const quoted = quote(value, name);
    return 'reason' in quoted ? `${reader} ${quoted.reason}` : undefined;
  };

/** `docker run --env-file`: verbatim lines of at most 64 KiB. */
const docker: Reader = {
  takesName: /^[^\s=#][^\s=]*$/,
  quote(value, name) {
    if (value.includes('\n')) return { reason: 'does not support multi-line values' };
    if (value.endsWith('\r')) return { reason: 'drops a trailing carriage return' };
    const isLong = Buffer.byteLength(`${name}=${value}`) > 65_535;
    return isLong ? { reason: 'does not support lines over 64 KiB' } : { text: value };
  },
};

/** `node --env-file` and `util.parseEnv`: three kinds of quotes, but no escapes. */
const node: Reader = {
  // `util.parseEnv` loses `__proto__`.
  takesName: /^(?!__proto__$)[\w.-]+$/,
  obeys: 'NODE_OPTIONS',
  quote(value) {
    if (value.includes('\r')) return { reason: 'drops carriage returns' };
    const mark = ["'", '`', '"'].find((quote) => !value.includes(quote));
    const fits = mark !== undefined && (mark !== '"' || !value.includes(String.raw`\n`));
    if (fits) return { text: mark + value + mark };
    const isBare = !/^["'`]|[\n#]/.test(value) && value === value.trim();
    return isBare ? { text: value } : { reason: 'cannot quote the value' };
  },
};

/** python-dotenv: escapes in double quotes, and `${NAME:-default}` is always expanded. */
const python: Reader = {
  takesName: /^[\w.-]+$/,
  quote(value) {
    const escaped = value.replace(/[\\"\r]|\$\{/g, inPython);
    // python-dotenv treats `\"` as an escaped quote, even after another backslash.
    return { text: `"${escaped}${value.endsWith('\\') ? '${:-}' : ''}"` };
  },
};

/** Writes `$` as the default of an unnamed variable, so that it does not start an expansion. */
const inPython = (part: string): string =>
  ({ '\r': String.raw`\r`, '${': '${:-$}{' })[part] ?? `\\${part}`;

const readers: Readonly<Record<ReaderName, Reader>> = { docker, node, python };

function quoteForShell(value: string): string {
  if (/^[A-Za-z0-9_@%+:,./-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replace(/[\\"$`]/g, '\\$&')}"`;
}
