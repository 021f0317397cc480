import { json, resource, text, texts, type Resource } from '../../api/resources/resource.ts';
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type {
  localAgentTokenCreate,
  localAgentTokenList,
  localAgentTokenRevoke,
  localTokenCreate,
} from './index.ts';
import { agentToken } from './resources.ts';
import { isText, notThere, orgPath, printList, withService } from './with-service.ts';

const accessToken = resource({
  name: 'token',
  plural: 'tokens',
  members: { token: text(), uuid: text(), scopes: texts(), organizations: texts(), user: json() },
  columns: [{ path: 'token', heading: 'TOKEN' }],
  detail: ['token'],
});

export const createToken: Handler<typeof localTokenCreate> = (input, context) => {
  const { user, org, scope, description } = input;
  const body = {
    ...(user === undefined ? {} : { user }),
    ...(org.length > 0 && { organizations: org }),
    ...(scope.length > 0 && { scopes: scope }),
    ...(description === undefined ? {} : { description }),
  };
  return createAndPrint(accessToken, '/tokens', body, context);
};

const newAgentToken = resource({
  name: 'agent token',
  plural: 'agent tokens',
  members: { token: text(), ...agentToken.members },
  columns: [{ path: 'token', heading: 'TOKEN' }],
  detail: ['token'],
});

export const createAgentToken: Handler<typeof localAgentTokenCreate> = (
  { description },
  context,
) => {
  const body = description === undefined ? {} : { description };
  return createAndPrint(newAgentToken, orgPath(context, 'agent-tokens'), body, context);
};

/** In text formats, prints only the token, so that scripts can use it. */
async function createAndPrint(type: Resource, path: string, body: object, context: Context) {
  const { out } = context;
  await out.check(type);
  const made = await withService(context, (call) => call('POST', path, body));
  if (!isText(out)) return out.one(type, made);
  await out.line((made as { token: string }).token);
}

export const listAgentTokens: Handler<typeof localAgentTokenList> = (_, context) =>
  printList(agentToken, 'agent-tokens', context);

export const revokeAgentToken: Handler<typeof localAgentTokenRevoke> = async (
  { uuid },
  context,
) => {
  const hint = 'cictl local agent-token list';
  if (uuid === '') throw usageError('the UUID of the token is empty', hint);
  const path = orgPath(context, 'agent-tokens', uuid);
  await withService(context, (call) => call('DELETE', path)).catch(
    notThere('agent token', uuid, hint),
  );
  context.messages.note(
    `revoked agent token ${uuid}; agents that registered with it stay connected`,
  );
};
