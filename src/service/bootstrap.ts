/** What is in every data folder: the organization `local`, its user, and tokens that work. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../common/write-files.ts';
import { addOrganization, addUser, issueToken, type Maker } from './accounts.ts';
import type { Organization, User } from './domain/records.ts';
import { scopes } from './domain/scopes.ts';
import { hashOf } from './secrets.ts';

/** Kept in a file of mode 0600 beside the database, which has hashes alone. */
export interface Credentials {
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
