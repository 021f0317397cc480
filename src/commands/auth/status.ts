import type { Handler } from '../../command/command.ts';
import { requireToken, type Settings } from '../../config/settings.ts';
import type { Context } from '../../context.ts';
import { login, type authStatus, type authToken } from './index.ts';
import { scopeWords } from './scopes.ts';

/** `cictl auth status`: `token` and `agentToken` say where the token comes from. */
export const showStatus: Handler<typeof authStatus> = async (_input, context) => {
  const { settings, out } = context;
  refuseUnusable(settings);
  if (settings.agentToken === undefined) requireToken(settings);
  await out.one(login, {
    profile: settings.profile ?? null,
    ...(await accessStatus(context)),
    ...(await agentStatus(context)),
  });
};

/** One token may be missing beside the other; one that is there must be one. */
function refuseUnusable({ refusals }: Settings): void {
  for (const refusal of [refusals.token, refusals.agentToken]) {
    if (refusal?.kind === 'usage') throw refusal;
  }
}

async function accessStatus(context: Context): Promise<object> {
  const { settings } = context;
  if (settings.token === undefined) return {};
  const { accessToken } = await context.client();
  const { uuid, scopes } = await accessToken.get();
  const shown = isForPeople(context) && scopes ? scopeWords(scopes) : scopes;
  return { baseUrl: settings.baseUrl, token: settings.sources['token'], uuid, scopes: shown };
}

const isForPeople = ({ out, settings }: Context): boolean =>
  out.isTerminal && settings.fields === undefined && settings.output === undefined;

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

/** `cictl auth token`. */
export const printToken: Handler<typeof authToken> = async (_input, { settings, out }) =>
  out.line(requireToken(settings));
