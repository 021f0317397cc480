import type { Organization, Token } from '../domain/records.ts';
import { scopes as allScopes } from '../domain/scopes.ts';
import type { Caller } from '../http/route.ts';
import type { ServiceContext } from '../service-context.ts';
import type { SessionUser } from './sessions.ts';

/** In whose name a session acts, as of now; undefined where its user or token has gone. */
export function sessionCaller({ store }: ServiceContext, session: SessionUser): Caller | undefined {
  const user = store.accounts.user(session.userId);
  if (user === undefined) return undefined;
  const organizations = store.accounts.organizationsOf(user.id);
  if (session.tokenHash !== undefined) {
    const token = store.accounts.token(session.tokenHash);
    if (token === undefined) return undefined;
    const newer = session.reachesNewer === true ? organizations.filter(isNewer(token)) : [];
    const organizationIds = [...token.organizationIds, ...newer.map(({ id }) => id)];
    const scopes = scopesOnPages(token.scopes);
    return { user, token: { ...token, scopes, organizationIds } };
  }
  const organizationIds = organizations.map(({ id }) => id);
  return { user, token: { ...ofSession, userId: user.id, organizationIds } };
}

/** Nobody can have meant a token not to reach what was not there yet. */
const isNewer =
  (token: Pick<Token, 'createdAt'>) =>
  ({ createdAt }: Organization): boolean =>
    createdAt > token.createdAt;

/** Builds name their pipeline and organization: whoever may read them sees the pages that lead there. */
const scopesOnPages = (given: readonly string[]): readonly string[] =>
  given.includes('read_builds') ? [...given, 'read_organizations', 'read_pipelines'] : given;

const ofSession = {
  id: 'session',
  kind: 'user',
  scopes: allScopes,
  description: 'signed in to the pages',
  createdAt: 0,
  buildId: null,
  jobId: null,
} as const;
