/** The secrets that a build can ask for: those given to it, and those that the service keeps. */
import type { Build } from '../domain/records.ts';
import type { Store } from '../store/store.ts';

type Values = Readonly<Record<string, string>>;

/** By name; what was given to the build counts more than what is kept under the same name. */
export function knownSecrets(
  store: Pick<Store, 'secrets'>,
  { organizationId, options }: Pick<Build, 'organizationId' | 'options'>,
): Values {
  const kept = store.secrets
    .list(organizationId)
    .filter(({ key }) => keyOf(options.secrets, key) === undefined)
    .map(({ key, value }) => [key, value] as const);
  return { ...Object.fromEntries(kept), ...options.secrets };
}

/** How the name is written among the secrets: as it is or, where that is not there, in other case. */
export function keyOf(secrets: Values, name: string): string | undefined {
  if (Object.hasOwn(secrets, name)) return name;
  return Object.keys(secrets).find((key) => key.toLowerCase() === name.toLowerCase());
}

export function secretNamed(secrets: Values, name: string): string | undefined {
  const key = keyOf(secrets, name);
  return key === undefined ? undefined : secrets[key];
}
