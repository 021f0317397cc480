/** Values given as text, as `@FILE`, or as `@-` for standard input. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseJson } from '../api/json.ts';
import type { Context } from '../context.ts';
import { readDotenv } from '../dotenv/read.ts';
import { CictlError, usageError } from '../errors.ts';
import { pair, pairs } from '../parse/flag-values.ts';

type InputContext = Pick<Context, 'cwd' | 'stdin'>;

/** Relative paths start at the working directory. Exit code 10 if the file cannot be read. */
export async function readBytes(path: string, { cwd }: Pick<Context, 'cwd'>): Promise<Uint8Array> {
  // An empty path would resolve to the working directory.
  if (path === '') throw new CictlError('machine', 'cannot read "": no such file');
  try {
    return await readFile(resolve(cwd, path));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new CictlError('machine', `cannot read ${path}: ${reasons[reason] ?? reason}`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

export const readFileText = async (path: string, context: Pick<Context, 'cwd'>): Promise<string> =>
  decodeText(await readBytes(path, context), path);

/** The text itself, or the contents of `@FILE` or `@-`. Messages call the source `name`. */
export async function readValue(
  text: string,
  name: string,
  context: InputContext,
): Promise<string> {
  if (text === '@-') return decodeText(await context.stdin.read(name), 'standard input');
  return text.startsWith('@') ? readFileText(text.slice(1), context) : text;
}

/** Reads a JSON object from text, `@FILE` or `@-`. Exit code 2 if it is anything else. */
export async function readJsonObject(
  text: string,
  flag: string,
  context: InputContext,
): Promise<Record<string, unknown>> {
  const source = await readValue(text, flag, context);
  let value: unknown;
  try {
    value = parseJson(source);
  } catch (error) {
    throw usageError(`${flag} is not valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw usageError(`${flag} must be a JSON object`);
}

/** Keeps a byte order mark. `name` is the source of the bytes, for the error message. */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError(`${name} is not valid UTF-8`);
  }
}

/** Reads the values of `-f` and `-F` of `graphql` and `api`. */
export async function fieldValues(
  { field, typedField }: { readonly field: string[]; readonly typedField: string[] },
  context: InputContext,
): Promise<Record<string, unknown>> {
  const values: [string, unknown][] = field.map((text) => pair(text, '--field'));
  for (const flag of typedField) {
    const [key, text] = pair(flag, '--typed-field');
    const value = text.startsWith('@') ? await readValue(text, `-F ${key}`, context) : text;
    values.push([key, isLiteral(text) ? parseJson(text) : value]);
  }
  return Object.fromEntries(values);
}

/** Numbers keep all digits. Text that is not a JSON number or keyword is a string. */
const isLiteral = (text: string): boolean =>
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text);

/**
 * The variables of `--env-from`, overridden by `--env`. `--env K` without a value copies K from the
 * environment of this process. Exit code 2 if a variable is malformed or missing.
 */
export async function givenVariables(
  { env, envFrom }: { readonly env: readonly string[]; readonly envFrom: string | undefined },
  context: Context,
): Promise<Record<string, string>> {
  if (envFrom === '') throw usageError('--env-from requires a file');
  const fromFlags = env.map((text) => (text.includes('=') ? text : inherited(text, context)));
  const fromFile =
    envFrom === undefined ? {} : readDotenv(await readFileText(envFrom, context), envFrom);
  return { ...fromFile, ...pairs(fromFlags, '--env') };
}

function inherited(name: string, { env }: Context): string {
  const value = env[name];
  if (value === undefined) throw usageError(`--env ${name}: not set in the environment`);
  return `${name}=${value}`;
}
