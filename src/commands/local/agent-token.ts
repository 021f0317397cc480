/** `cictl local agent-token`: what agents of other machines are let in with. */
import { resource, text } from '../../api/resources/resource.ts';
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { agentToken } from './agent-token-resource.ts';
import { localOrg, notThere, withService } from './with-service.ts';
import type { localAgentTokenCreate, localAgentTokenList, localAgentTokenRevoke } from './index.ts';

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
