/** The path, format and parser of the profiles file. Needs no library. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CictlError } from '../errors.ts';
import { configDir } from './folders.ts';
import type { Env } from '../common/env.ts';

const profileKeys = [
  'baseUrl',
  'agentUrl',
  'graphqlUrl',
  'token',
  'agentToken',
  'org',
  'pipeline',
  'output',
] as const;

export type ProfileKey = (typeof profileKeys)[number];

export type Profile = { readonly [K in ProfileKey]?: string };

export interface Profiles {
  readonly current: string | undefined;
  readonly profiles: Map<string, Profile>;
  /** Path of the file, if it contains tokens and other users can read it */
  readonly exposed?: string;
}

export const profileFile = (env: Env): string => join(configDir(env), 'profiles.json');

/** Empty if there is no file or no home directory. Exit code 10 if it cannot be read. */
export function readProfileFile(env: Env): Profiles {
  const file = hasPlace(env) ? profileFile(env) : undefined;
  if (file === undefined) return fromStored({});
  try {
    const found = fromStored(JSON.parse(readFileSync(file, 'utf8')));
    return isExposed(file, found) ? { ...found, exposed: file } : found;
  } catch (error) {
    if (missingFileCodes.has((error as NodeJS.ErrnoException).code ?? '')) return fromStored({});
    throw unreadable(file, error);
  }
}

/** ENOTDIR means that a parent directory is a file. */
const missingFileCodes = new Set(['ENOENT', 'ENOTDIR']);

function hasPlace(env: Env): boolean {
  try {
    return profileFile(env) !== '';
  } catch {
    return false;
  }
}

/** Windows does not have these file modes, and a file without tokens may be public. */
const isExposed = (file: string, { profiles }: Profiles): boolean =>
  process.platform !== 'win32' &&
  [...profiles.values()].some(({ token, agentToken }) => token ?? agentToken) &&
  (statSync(file).mode & 0o044) !== 0;

function fromStored(stored: unknown): Profiles {
  if (!isObject(stored)) throw new Error('malformed: not a JSON object');
  const { current, profiles = {} } = stored;
  if (current !== undefined && typeof current !== 'string')
    throw new Error('malformed: "current" is not a string');
  if (!isObject(profiles)) throw new Error('malformed: "profiles" is not an object');
  const entries = Object.entries(profiles);
  return { current, profiles: new Map(entries.map(([n, profile]) => [n, asProfile(n, profile)])) };
}

/** The top-level fields that cictl writes. Other fields of the file are kept. */
export const toStored = ({ current, profiles }: Profiles) => ({
  current,
  profiles: Object.fromEntries(profiles),
});

function asProfile(name: string, profile: unknown): Profile {
  if (!isObject(profile))
    throw new Error(`malformed: profile ${JSON.stringify(name)} is not an object`);
  for (const key of profileKeys) {
    if (profile[key] === undefined || typeof profile[key] === 'string') continue;
    throw new Error(`malformed: "${key}" of profile ${JSON.stringify(name)} is not a string`);
  }
  return profile;
}

function unreadable(file: string, error: unknown): CictlError {
  const { code, message } = error as NodeJS.ErrnoException;
  const damaged = code === undefined;
  const reason = error instanceof SyntaxError ? notJson(message) : message;
  return new CictlError('machine', `cannot read the profiles in ${file}: ${reason}`, {
    hint: damaged ? `mv '${file}' '${file}.damaged'` : `ls -l '${file}'`,
    // Omits the parser's error, because it quotes the file, which may contain a token.
    ...(!damaged && { cause: error }),
  });
}

function notJson(message: string): string {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  return `malformed: invalid JSON${position === undefined ? '' : ` at character ${position}`}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
