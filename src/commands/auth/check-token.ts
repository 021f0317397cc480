/** Asks the service of a login whether a token is good, and what it is for. */
import type { Client } from '../../api/client.ts';
import { isSlug } from '../../parse/slug.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import type { ChosenService } from './service.ts';

/** The service, with the command line that logs in to it. */
export type Login = ChosenService & { readonly line: string };

export interface CheckedToken {
  /** What is shown of it. */
  readonly summary: string;
  /** Slugs of the organizations that it reaches, as far as the first two; none where unknown. */
  readonly organizations: readonly string[];
}

export async function checkAccessToken(
  login: Login,
  token: string,
  context: Context,
): Promise<CheckedToken> {
  const client = await context.connect({ url: login.url, token }, context.signal);
  const { scopes } = await client.accessToken.get().catch(sayAgain(login));
  const summary = scopes?.length ? `scopes: ${scopes.join(', ')}` : 'without any scope';
  const mayAsk = scopes?.includes('read_organizations') === true;
  return { summary, organizations: mayAsk ? await firstOrganizations(client, context) : [] };
}

/** The login is good without them. */
async function firstOrganizations(client: Client, { messages }: Context): Promise<string[]> {
  const slugs: string[] = [];
  try {
    for await (const { slug } of client.organizations.list()) {
      if (typeof slug === 'string' && isSlug(slug)) slugs.push(slug);
      if (slugs.length > 1) break;
    }
    return slugs;
  } catch (error) {
    if (!(error instanceof CictlError) || error.kind === 'interrupted') throw error;
    messages.debug(`the organizations of the token are not known: ${error.message}`);
    return [];
  }
}

export async function checkAgentToken(
  login: Login,
  agentToken: string,
  context: Context,
): Promise<CheckedToken> {
  const client = await context.connect({ url: login.agentUrl, agentToken }, context.signal);
  const slug = (await client.metrics.organization().catch(sayAgain(login))) ?? undefined;
  const organizations = slug !== undefined && isSlug(slug) ? [slug] : [];
  return { summary: `agents of organization ${slug ?? 'unknown'}`, organizations };
}

/** Who has pasted a wrong token types the same line again, not that of the current profile. */
const sayAgain =
  ({ line }: Login) =>
  (error: unknown): never => {
    if (!(error instanceof CictlError) || error.kind !== 'auth') throw error;
    const { kind, message, status, details, serviceMessage } = error;
    throw new CictlError(kind, message, {
      ...{ details, hint: line, cause: error },
      ...(status !== undefined && { status }),
      ...(serviceMessage !== undefined && { serviceMessage }),
    });
  };
