/** The profiles file: its path, its format, and reading it without any library. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CictlError } from '../errors.ts';
import { configDir } from './folders.ts';
import type { Env } from '../common/env.ts';

/** Members of a profile; all texts, all optional. */
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
  /** Name of the profile that commands use by themselves. */
  readonly current: string | undefined;
  /** In the order in which they were made. */
  readonly profiles: Map<string, Profile>;
  /** The file, where it holds tokens and others than its user can read it. */
  readonly exposed?: string;
}

export const profileFile = (env: Env): string => join(configDir(env), 'profiles.json');

/**
 * The profiles of the file; none when there is no file, nor a home where one could be. Code 10,
 * with the path and the way to repair it, when it cannot be read or understood; the file stays as
 * it is.
 */
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

/** A path through a file does not exist, either. */
const missingFileCodes = new Set(['ENOENT', 'ENOTDIR']);

function hasPlace(env: Env): boolean {
  try {
    return profileFile(env) !== '';
  } catch {
    return false;
  }
}

/** Windows has no such mode; a file without a token may be read by all. */
const isExposed = (file: string, { profiles }: Profiles): boolean =>
  process.platform !== 'win32' &&
  [...profiles.values()].some(({ token, agentToken }) => token ?? agentToken) &&
  (statSync(file).mode & 0o044) !== 0;

function fromStored(stored: unknown): Profiles {
  if (!isObject(stored)) throw new Error('it is damaged: it holds no JSON object');
  const { current, profiles = {} } = stored;
  if (current !== undefined && typeof current !== 'string')
    throw new Error('it is damaged: "current" is no text');
  if (!isObject(profiles)) throw new Error('it is damaged: "profiles" is no object');
  const entries = Object.entries(profiles);
  return { current, profiles: new Map(entries.map(([n, profile]) => [n, asProfile(n, profile)])) };
}

/** The form of the file; other members than these two stay in it. */
export const toStored = ({ current, profiles }: Profiles) => ({
  current,
  profiles: Object.fromEntries(profiles),
});

function asProfile(name: string, profile: unknown): Profile {
  if (!isObject(profile))
    throw new Error(`it is damaged: profile ${JSON.stringify(name)} is no object`);
  for (const key of profileKeys) {
    if (profile[key] === undefined || typeof profile[key] === 'string') continue;
    throw new Error(`it is damaged: "${key}" of profile ${JSON.stringify(name)} is no text`);
  }
  return profile;
}

/** The error for a file that is there but of no use. */
function unreadable(file: string, error: unknown): CictlError {
  const { code, message } = error as NodeJS.ErrnoException;
  const damaged = code === undefined;
  const reason = error instanceof SyntaxError ? notJson(message) : message;
  return new CictlError('machine', `cannot read the profiles in ${file}: ${reason}`, {
    hint: damaged ? `mv '${file}' '${file}.damaged'` : `look at the permissions of ${file}`,
    // The parser's own message quotes the file, and with it maybe a token.
    ...(!damaged && { cause: error }),
  });
}

function notJson(message: string): string {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  return `it is damaged: it is no JSON${position === undefined ? '' : ` (from character ${position} on)`}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
