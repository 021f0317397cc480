import { usageError, type CictlError } from '../errors.ts';
import { readProfileFile } from './profile-file.ts';
import type { Profile, Profiles } from './profile-file.ts';
import type { Env } from '../common/env.ts';

export type { Profile, Profiles } from './profile-file.ts';

/** Changes of one profile: a value to keep, or null to drop the member. */
export type ProfileChanges = { readonly [K in keyof Profile]?: Profile[K] | null };

/** All profiles, and the name of the current one. Cheap: it loads no library. */
export const readProfiles = (env: Env): Profiles => readProfileFile(env);

/** The profile of that name. Code 2, with the names there are, when there is none. */
export function requireProfile(profiles: Profiles, name: string): Profile {
  const profile = profiles.profiles.get(name);
  if (profile === undefined) throw noProfile(name, profiles);
  return profile;
}

export function noProfile(name: string, profiles: Profiles): CictlError {
  const names = [...profiles.profiles.keys()].join(', ');
  const known = names === '' ? 'there is none yet' : `there are: ${names}`;
  return usageError(
    `no profile is named ${JSON.stringify(name)} (${known})`,
    name === 'local'
      ? 'cictl local up'
      : `cictl auth login --profile ${isName(name) ? name : 'NAME'}`,
  );
}

/** Code 2 unless the text may name a profile: letters, digits, `.`, `_`, `-`. */
export function checkProfileName(name: string): string {
  if (isName(name)) return name;
  throw usageError(
    `a profile cannot be named ${JSON.stringify(name)}: letters, digits, ".", "_" and "-" only`,
  );
}

const isName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name);

/**
 * Makes or changes a profile; members that `changes` leaves out stay. It becomes the current one
 * when none is, or when `current` is true.
 */
export async function writeProfile(
  env: Env,
  name: string,
  changes: ProfileChanges,
  { current = false }: { current?: boolean } = {},
): Promise<Profile> {
  checkProfileName(name);
  const after = await change(env, ({ current: chosen, profiles }) => {
    profiles.set(name, merge(profiles.get(name) ?? {}, changes));
    return current || chosen === undefined || !profiles.has(chosen) ? name : chosen;
  });
  return requireProfile(after, name);
}

/** Makes a profile the current one. Code 2 when there is none of that name. */
export async function useProfile(env: Env, name: string): Promise<void> {
  await change(env, (before) => {
    requireProfile(before, name);
    return name;
  });
}

/** Deletes a profile; when it was the current one, none is. Code 2 when there is none. */
export async function removeProfile(env: Env, name: string): Promise<void> {
  await change(env, (before) => {
    requireProfile(before, name);
    before.profiles.delete(name);
    return before.current === name ? undefined : before.current;
  });
}

/** `edit` changes the map that it is given and returns the name of the current profile. */
async function change(
  env: Env,
  edit: (profiles: Profiles) => string | undefined,
): Promise<Profiles> {
  const { changeStore } = await import('./store.ts');
  return changeStore(env, (before) => ({ profiles: before.profiles, current: edit(before) }));
}

function merge(before: Profile, changes: ProfileChanges): Profile {
  const members = Object.entries({ ...before, ...changes });
  const kept = members.filter(([, value]) => value !== null);
  return Object.fromEntries(kept);
}
