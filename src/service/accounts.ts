import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../common/attempt.ts';
import type { Organization, Role, Token, User } from './domain/records.ts';
import { hashOf, newSecret } from './secrets.ts';
import type { Store } from './store/store.ts';
import { replaceFile } from '../common/write-files.ts';
import { scopes } from './domain/permissions.ts';

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

const prefixes = {
  ...{ user: 'cictl', agent: 'cictl_agent', session: 'cictl_session', job: 'cictl_job' },
} as const;

export function issueToken(
  { store, newId, clock }: Maker,
  input: Pick<Token, 'kind' | 'userId' | 'organizationIds' | 'scopes' | 'description'> &
    Partial<Token>,
  secret = newSecret(prefixes[input.kind]),
): { readonly token: Token; readonly secret: string } {
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

interface Credentials {
  readonly token: string;
  readonly agentToken: string;
}

/** Creates the `local` organization with its user and tokens if they are missing or invalid. */
export async function bootstrap(maker: Maker, dataDir: string): Promise<Credentials> {
  const { accounts } = maker.store;
  const local = accounts.organization('local') ?? addOrganization(maker, 'local', 'Local');
  const membership = { organizationId: local.id, role: 'admin' } as const;
  const owner =
    accounts.users()[0] ?? addUser(maker, 'Local user', 'local@localhost', [membership]);
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

const newToken = (maker: Maker, { id }: User, organization: Organization): string =>
  issueToken(maker, {
    kind: 'user',
    userId: id,
    organizationIds: [organization.id],
    scopes,
    description: 'created by the service',
  }).secret;

export const newAgentToken = (maker: Maker, { id }: Organization): string =>
  issueToken(maker, {
    kind: 'agent',
    userId: null,
    organizationIds: [id],
    scopes: [],
    description: 'agent registration token',
  }).secret;

/** Returns `{}` if the file is missing or malformed; new credentials are then created. */
function read(file: string): Partial<Credentials> {
  const saved = attempt(() => JSON.parse(readFileSync(file, 'utf8')) as Partial<Credentials>);
  const { token, agentToken } = saved ?? {};
  return { ...(isText(token) && { token }), ...(isText(agentToken) && { agentToken }) };
}

const isText = (value: unknown): value is string => typeof value === 'string';
