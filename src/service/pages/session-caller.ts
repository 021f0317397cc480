import { scopes } from '../domain/scopes.ts';
import type { Caller } from '../http/route.ts';
import type { ServiceContext } from '../service-context.ts';
import type { SessionUser } from './sessions.ts';

/** In whose name a session acts, as of now; undefined where its user or token has gone. */
export function sessionCaller({ store }: ServiceContext, session: SessionUser): Caller | undefined {
  const user = store.accounts.user(session.userId);
  if (user === undefined) return undefined;
  if (session.tokenHash !== undefined) {
    const token = store.accounts.token(session.tokenHash);
    return token && { token: { ...token, scopes: scopesOnPages(token.scopes) }, user };
  }
  const organizationIds = store.accounts.organizationsOf(user.id).map(({ id }) => id);
  return { user, token: { ...ofSession, userId: user.id, organizationIds } };
}

/** Builds name their pipeline and organization: whoever may read them sees the pages that lead there. */
const scopesOnPages = (given: readonly string[]): readonly string[] =>
  given.includes('read_builds') ? [...given, 'read_organizations', 'read_pipelines'] : given;

const ofSession = {
  id: 'session',
  kind: 'user',
  scopes,
  description: 'signed in to the pages',
  createdAt: 0,
  buildId: null,
  jobId: null,
} as const;
