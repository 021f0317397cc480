/** The clients that a command asks for, and what `--dry-run` shows in place of their requests. */
import type { Client } from '../api/client.ts';
import type { PlannedRequest } from '../api/call.ts';
import { isBuiltInProfile, loginHint } from '../config/setting-origins.ts';
import { requireAgentToken, requireToken, type Settings } from '../config/settings.ts';
import type { ServiceAddress } from '../context.ts';
import type { Output } from '../render/output.ts';
import { printRequest } from '../render/print-request.ts';
import type { Messages } from '../terminal/messages.ts';
import type { Secrets } from '../terminal/secrets.ts';
import type { Command } from '../command/command.ts';
import type { Clock } from '../common/clock.ts';
import type { Env } from '../common/env.ts';

export interface ClientParts {
  readonly command: Command;
  readonly settings: Settings;
  readonly env: Env;
  readonly clock: Clock;
  readonly out: Output;
  readonly messages: Messages;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
  /** `process.versions.node`. */
  readonly nodeVersion: string;
  /** Version of cictl, for the header `User-Agent`. */
  readonly version: string;
}

export interface Clients {
  /** That of the settings' service; made once. */
  readonly client: () => Promise<Client>;
  readonly connect: (service: ServiceAddress, signal: AbortSignal) => Promise<Client>;
  /** Ends what was opened, and waits until `--dry-run` has shown its requests. */
  readonly close: () => Promise<void>;
}

/** Nothing is loaded before a command needs a client: that is most of the start-up cost. */
export function createClients(parts: ClientParts): Clients {
  const opened: Promise<Client>[] = [];
  const closing = new AbortController();
  let own: Promise<Client> | undefined;
  let shown = Promise.resolve();
  const connect = (service: Addresses, signal: AbortSignal): Promise<Client> => {
    parts.secrets.add(service.token, service.agentToken);
    const untilClosed = AbortSignal.any([signal, closing.signal]);
    const client = open(service, untilClosed, parts, (request) => {
      shown = shown.then(() => printRequest(request, parts));
    });
    opened.push(client);
    return client;
  };
  return {
    client: () => (own ??= ownClient(parts, connect)),
    connect: ({ url, ...tokens }, signal) =>
      connect({ ...tokens, baseUrl: url, agentUrl: url, graphqlUrl: url }, signal),
    close: async () => {
      await shown;
      // Requests that nobody waits for anymore would keep the process alive.
      closing.abort(new Error('the command has ended'));
      for (const client of await Promise.allSettled(opened)) {
        if (client.status === 'fulfilled') await client.value.close();
      }
    },
  };
}

type Addresses = Pick<Settings, 'baseUrl' | 'agentUrl' | 'graphqlUrl' | 'token' | 'agentToken'> &
  Pick<ServiceAddress, 'isBuiltIn' | 'remark'> & { readonly login?: string };

/** A missing credential is reported before the network is touched, with what to do. */
async function ownClient(
  { command, settings, signal }: ClientParts,
  connect: (service: Addresses, signal: AbortSignal) => Promise<Client>,
): Promise<Client> {
  if (command.credential === 'agent') requireAgentToken(settings);
  else requireToken(settings);
  return connect({ ...settings, login: loginHint(settings) }, signal);
}

async function open(
  service: Addresses,
  signal: AbortSignal,
  { settings, messages, ...parts }: ClientParts,
  dryRun: (request: PlannedRequest) => void,
): Promise<Client> {
  const [{ createClient }, { createNetworkTransport: createTransport }] = await Promise.all([
    import('../api/client.ts'),
    import('../http/network.ts'),
  ]);
  const { baseUrl, agentUrl, graphqlUrl, token, agentToken, login } = service;
  const env = isBuiltIn(service, settings) ? {} : parts.env;
  return createClient({
    ...{ baseUrl, agentUrl, graphqlUrl },
    ...(token !== undefined && { token }),
    ...(agentToken !== undefined && { agentToken }),
    ...(login !== undefined && { login }),
    ...{ requestTimeout: settings.requestTimeout, maxWait: settings.maxWait },
    transport: createTransport({ ...parts, env }),
    clock: parts.clock,
    signal,
    notice: (line) => messages.note(line),
    debug: (line) => messages.debug(line),
    userAgent: `cictl/${parts.version}${service.remark ?? ''}`,
    ...(settings.dryRun && { dryRun }),
  });
}

/** Profile `local` is the built-in service too, unless its address was changed. */
const isBuiltIn = ({ isBuiltIn, baseUrl }: Addresses, settings: Settings): boolean =>
  isBuiltIn === true || (baseUrl === settings.baseUrl && isBuiltInProfile(settings));
