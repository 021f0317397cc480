/** What a new organization, user or token consists of, in the store. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Organization, Role, Token, User } from './domain/records.ts';
import { hashOf, newSecret } from './secrets.ts';
import type { Store } from './store/store.ts';
import { replaceFile } from '../common/write-files.ts';
import { scopes } from './domain/permissions.ts';

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
interface Issued {
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

// What is in every data folder: the organization `local`, its user, and tokens that work.

/** Kept in a file of mode 0600 beside the database, which has hashes alone. */
interface Credentials {
  readonly token: string;
  readonly agentToken: string;
}

/** Makes what is missing; a token that was revoked is replaced by a new one. */
export async function bootstrap(maker: Maker, dataDir: string): Promise<Credentials> {
  const { accounts } = maker.store;
  const local = accounts.organization('local') ?? makeLocal(maker);
  const owner = accounts.users()[0] ?? makeOwner(maker, local);
  const file = join(dataDir, 'credentials.json');
  const saved = read(file);
  const works = (secret: string | undefined): secret is string =>
    secret !== undefined && accounts.token(hashOf(secret)) !== undefined;
  const token = works(saved.token) ? saved.token : newToken(maker, owner, local);
  const agentToken = works(saved.agentToken) ? saved.agentToken : newAgentToken(maker, local);
  if (token !== saved.token || agentToken !== saved.agentToken) {
    await replaceFile(file, `${JSON.stringify({ token, agentToken })}\n`, 0o600);
  }
  return { token, agentToken };
}

const makeLocal = (maker: Maker): Organization => addOrganization(maker, 'local', 'Local');

const makeOwner = (maker: Maker, { id }: Organization): User =>
  addUser(maker, 'Local user', 'local@localhost', [{ organizationId: id, role: 'admin' }]);

const newToken = (maker: Maker, { id }: User, organization: Organization): string =>
  issueToken(maker, {
    kind: 'user',
    userId: id,
    organizationIds: [organization.id],
    scopes,
    description: 'made by the service',
  }).secret;

export const newAgentToken = (maker: Maker, { id }: Organization): string =>
  issueToken(maker, {
    kind: 'agent',
    userId: null,
    organizationIds: [id],
    scopes: [],
    description: 'agent registration token',
  }).secret;

/** Nothing where the file is missing or damaged: then there are new ones. */
function read(file: string): Partial<Credentials> {
  try {
    const { token, agentToken } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Credentials>;
    return { ...(isText(token) && { token }), ...(isText(agentToken) && { agentToken }) };
  } catch {
    return {};
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
