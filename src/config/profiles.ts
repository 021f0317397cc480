import { usageError, type CictlError } from '../errors.ts';
import { readProfileFile } from './profile-file.ts';
import type { Profile, Profiles } from './profile-file.ts';
import type { Env } from '../common/env.ts';

export type { Profile, Profiles } from './profile-file.ts';

export type ProfileChanges = { readonly [K in keyof Profile]?: Profile[K] | null };

export const readProfiles = (env: Env): Profiles => readProfileFile(env);

/** Exit code 2 if there is no such profile. The message lists the existing names. */
export function requireProfile(profiles: Profiles, name: string): Profile {
  const profile = profiles.profiles.get(name);
  if (profile === undefined) throw noProfile(name, profiles);
  return profile;
}

export function noProfile(name: string, profiles: Profiles): CictlError {
  const names = [...profiles.profiles.keys()].join(', ');
  const known = names === '' ? 'there are no profiles' : `profiles: ${names}`;
  return usageError(
    `unknown profile ${JSON.stringify(name)} (${known})`,
    name === 'local'
      ? 'cictl local up'
      : `cictl auth login --profile ${isName(name) ? name : 'NAME'}`,
  );
}

export function checkProfileName(name: string): string {
  if (isName(name)) return name;
  throw usageError(
    `invalid profile name ${JSON.stringify(name)}: use only letters, digits, ".", "_" and "-"`,
  );
}

const isName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name);

/** Creates or changes a profile. Makes it current if `current` is set or no profile is current. */
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

export async function useProfile(env: Env, name: string): Promise<void> {
  await change(env, (before) => {
    requireProfile(before, name);
    return name;
  });
}

export async function removeProfile(env: Env, name: string): Promise<void> {
  await change(env, (before) => {
    requireProfile(before, name);
    before.profiles.delete(name);
    return before.current === name ? undefined : before.current;
  });
}

/** `edit` modifies the map and returns the name of the new current profile. */
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
