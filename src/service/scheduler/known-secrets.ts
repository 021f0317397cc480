import type { Build } from '../domain/records.ts';
import type { Store } from '../store/store.ts';

type Values = Readonly<Record<string, string>>;

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

/** Finds the name of a secret. Prefers an exact match to a name that differs only in case. */
export function keyOf(secrets: Values, name: string): string | undefined {
  if (Object.hasOwn(secrets, name)) return name;
  return Object.keys(secrets).find((key) => key.toLowerCase() === name.toLowerCase());
}

export function secretNamed(secrets: Values, name: string): string | undefined {
  const key = keyOf(secrets, name);
  return key === undefined ? undefined : secrets[key];
}
