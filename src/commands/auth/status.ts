import type { Handler } from '../../command/command.ts';
import { requireToken } from '../../config/settings.ts';
import type { Context } from '../../context.ts';
import { login, type authStatus, type authToken } from './index.ts';
import { scopeWords } from './scopes.ts';

/** Prints the sources of `token` and `agentToken` instead of the tokens. */
export const showStatus: Handler<typeof authStatus> = async (_input, context) => {
  const { settings, out } = context;
  // Either token may be missing, but a token that is set must be well-formed.
  for (const refusal of [settings.refusals.token, settings.refusals.agentToken])
    if (refusal?.kind === 'usage') throw refusal;
  if (settings.agentToken === undefined) requireToken(settings);
  await out.one(login, {
    profile: settings.profile ?? null,
    ...(await accessStatus(context)),
    ...(await agentStatus(context)),
  });
};

async function accessStatus({ settings, out, ...context }: Context): Promise<object> {
  if (settings.token === undefined) return {};
  const { accessToken } = await context.client();
  const { uuid, scopes } = await accessToken.get();
  const isForPeople =
    out.isTerminal && settings.fields === undefined && settings.output === undefined;
  const shown = isForPeople && scopes ? scopeWords(scopes) : scopes;
  return { baseUrl: settings.baseUrl, token: settings.sources['token'], uuid, scopes: shown };
}

async function agentStatus({ settings, ...context }: Context): Promise<object> {
  const { agentUrl, agentToken } = settings;
  if (agentToken === undefined) return {};
  const client = await context.connect({ url: agentUrl, agentToken }, context.signal);
  return {
    agentUrl,
    agentToken: settings.sources['agentToken'],
    organization: (await client.metrics.organization()) ?? null,
  };
}

export const printToken: Handler<typeof authToken> = async (_input, { settings, out }) =>
  out.line(requireToken(settings));
