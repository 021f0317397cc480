/** Values that a user gives as text, as `@FILE`, or as `@-` for standard input. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseJson } from '../api/json.ts';
import type { Context } from '../context.ts';
import { CictlError, usageError } from '../errors.ts';
import { pair, pairs } from '../parse/flag-values.ts';
import { readDotenv } from '../dotenv/read.ts';

/** The bytes of a file; a relative path starts at the working folder. Code 10 when unreadable. */
export async function readBytes(path: string, { cwd }: Pick<Context, 'cwd'>): Promise<Uint8Array> {
  // Not the working folder, which it would be read as.
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
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

/** The same as text; a file that is not UTF-8 is refused. */
export const readFileText = async (path: string, context: Pick<Context, 'cwd'>): Promise<string> =>
  decodeText(await readBytes(path, context), path);

/**
 * The text itself, or what `@FILE` or `@-` holds; `name` is the flag or argument that it is for.
 */
export async function readValue(
  text: string,
  name: string,
  context: Pick<Context, 'cwd' | 'stdin'>,
): Promise<string> {
  if (text === '@-') return decodeText(await context.stdin.read(name), 'standard input');
  return text.startsWith('@') ? readFileText(text.slice(1), context) : text;
}

/** A JSON value given as text, `@FILE` or `@-`; code 2 with the flag's name when it is no JSON. */
async function readJsonValue(
  text: string,
  flag: string,
  context: Pick<Context, 'cwd' | 'stdin'>,
): Promise<unknown> {
  const source = await readValue(text, flag, context);
  try {
    return parseJson(source);
  } catch (error) {
    throw usageError(`${flag} is no valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/** The same for a JSON object; code 2 for any other value. */
export async function readJsonObject(
  text: string,
  flag: string,
  context: Pick<Context, 'cwd' | 'stdin'>,
): Promise<Record<string, unknown>> {
  const value = await readJsonValue(text, flag, context);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw usageError(`${flag} is a JSON object`);
}

/** Bytes as text, a byte order mark included; `name` says whose bytes they were. */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError(`${name} is not valid UTF-8`);
  }
}

/** `-f` and `-F` of `graphql` and `api`. */
interface FieldFlags {
  readonly field: readonly string[];
  readonly typedField: readonly string[];
}

/** The members that the flags give; `-F` reads true, false, null, numbers and `@FILE`. */
export async function fieldValues(
  { field, typedField }: FieldFlags,
  context: Pick<Context, 'cwd' | 'stdin'>,
): Promise<Record<string, unknown>> {
  const values: [string, unknown][] = field.map((text) => pair(text, '--field'));
  for (const text of typedField) {
    const [key, value] = pair(text, '--typed-field');
    values.push([key, await typed(value, `-F ${key}`, context)]);
  }
  return Object.fromEntries(values);
}

async function typed(
  text: string,
  name: string,
  context: Pick<Context, 'cwd' | 'stdin'>,
): Promise<unknown> {
  if (text.startsWith('@')) return readValue(text, name, context);
  return isLiteral(text) ? parseJson(text) : text;
}

/** A JSON number keeps its digits; anything else that is no keyword stays a string. */
const isLiteral = (text: string): boolean =>
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text);

/**
 * The variables of `--env-from` and, over them, of `--env`: `K=V`, or `K` alone for its value in
 * the environment of this process. Code 2 for what is malformed or not there.
 */
export async function givenVariables(
  { env, envFrom }: { readonly env: readonly string[]; readonly envFrom: string | undefined },
  context: Context,
): Promise<Record<string, string>> {
  if (envFrom === '') throw usageError('--env-from needs a value: --env-from FILE');
  const fromFlags = env.map((text) => (text.includes('=') ? text : inherited(text, context)));
  const fromFile =
    envFrom === undefined ? {} : readDotenv(await readFileText(envFrom, context), envFrom);
  return { ...fromFile, ...pairs(fromFlags, '--env') };
}

function inherited(name: string, { env }: Context): string {
  const value = env[name];
  if (value === undefined) throw usageError(`--env ${name}: no such variable in the environment`);
  return `${name}=${value}`;
}
