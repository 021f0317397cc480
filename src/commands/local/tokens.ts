import { json, resource, text, texts } from '../../api/resources/resource.ts';
import type { Handler } from '../../command/command.ts';
import { withService, localOrg, notThere } from './with-service.ts';
import type {
  localTokenCreate,
  localAgentTokenCreate,
  localAgentTokenList,
  localAgentTokenRevoke,
} from './index.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { agentToken } from './resources.ts';

const token = resource({
  name: 'token',
  plural: 'tokens',
  members: { token: text(), uuid: text(), scopes: texts(), organizations: texts(), user: json() },
  columns: [{ path: 'token', heading: 'TOKEN' }],
  detail: ['token'],
});

/** `cictl local token create`: beside `auth token` the only command that prints a token. */
export const createToken: Handler<typeof localTokenCreate> = async (input, context) => {
  const { out } = context;
  await out.check(token);
  const { user, org, scope, description } = input;
  const body = {
    ...(user === undefined ? {} : { user }),
    ...(org.length > 0 && { organizations: org }),
    ...(scope.length > 0 && { scopes: scope }),
    ...(description === undefined ? {} : { description }),
  };
  const made = await withService(context, (call) => call('POST', '/tokens', body));
  if (out.format !== 'table' && out.format !== 'tsv') return out.one(token, made as object);
  await out.line((made as { token: string }).token);
};

// `cictl local agent-token`: what agents of other machines are let in with.

const newAgentToken = resource({
  name: 'agent token',
  plural: 'agent tokens',
  members: { token: text(), ...agentToken.members },
  columns: [{ path: 'token', heading: 'TOKEN' }],
  detail: ['token'],
});

const tokensPath = (context: Context, uuid?: string): string => {
  const all = `/organizations/${encodeURIComponent(localOrg(context))}/agent-tokens`;
  return uuid === undefined ? all : `${all}/${encodeURIComponent(uuid)}`;
};

/** Prints the token alone, so that a script can take it as it is. */
export const createAgentToken: Handler<typeof localAgentTokenCreate> = async (
  { description },
  context,
) => {
  const { out } = context;
  await out.check(newAgentToken);
  const body = description === undefined ? {} : { description };
  const made = await withService(context, (call) => call('POST', tokensPath(context), body));
  if (out.format !== 'table' && out.format !== 'tsv') return out.one(newAgentToken, made as object);
  await out.line((made as { token: string }).token);
};

export const listAgentTokens: Handler<typeof localAgentTokenList> = async (_, context) => {
  const list = await withService(context, (call) => call('GET', tokensPath(context)));
  await context.out.list(agentToken, list as object[]);
};

export const revokeAgentToken: Handler<typeof localAgentTokenRevoke> = async (
  { uuid },
  context,
) => {
  if (uuid === '')
    throw usageError('a UUID of a token is not empty', 'cictl local agent-token list');
  await withService(context, (call) => call('DELETE', tokensPath(context, uuid))).catch(
    notThere('agent token', uuid, 'cictl local agent-token list'),
  );
  context.messages.note(
    `revoked agent token ${uuid}: agents that registered with it go on, no others do`,
  );
};
