/** What a new organization, user or token consists of, in the store. */
import type { Organization, Role, Token, User } from './domain/records.ts';
import { hashOf, newSecret } from './secrets.ts';
import type { Store } from './store/store.ts';

/** Makes things of their time, with ids of their own. */
export interface Maker {
  readonly store: Store;
  readonly newId: () => string;
  readonly clock: { now(): number };
}

export function addOrganization(
  { store, newId, clock }: Maker,
  slug: string,
  name: string,
): Organization {
  const organization = { id: newId(), slug, name, createdAt: clock.now() };
  store.accounts.addOrganization(organization);
  return organization;
}

export function addUser(
  { store, newId, clock }: Maker,
  name: string,
  email: string,
  memberships: readonly { readonly organizationId: string; readonly role: Role }[],
): User {
  const user = { id: newId(), name, email, createdAt: clock.now() };
  store.accounts.addUser(user);
  for (const { organizationId, role } of memberships)
    store.accounts.addMember(user.id, organizationId, role);
  return user;
}

/** A token and, this once, its text. */
export interface Issued {
  readonly token: Token;
  readonly secret: string;
}

const prefixes = {
  ...{ user: 'cictl', agent: 'cictl_agent', session: 'cictl_session', job: 'cictl_job' },
} as const;

export function issueToken(
  { store, newId, clock }: Maker,
  input: Pick<Token, 'kind' | 'userId' | 'organizationIds' | 'scopes' | 'description'> &
    Partial<Token>,
  secret = newSecret(prefixes[input.kind]),
): Issued {
  const token: Token = {
    buildId: null,
    jobId: null,
    ...input,
    id: newId(),
    createdAt: clock.now(),
  };
  store.accounts.addToken(token, hashOf(secret));
  return { token, secret };
}
