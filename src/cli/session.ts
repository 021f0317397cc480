/** The parts of a command's context that are made lazily: the client, and what `--dry-run` shows. */
import type { Client } from '../api/client.ts';
import type { PlannedRequest } from '../api/dry-run.ts';
import { requireAgentToken, requireToken, type Settings } from '../config/settings.ts';
import type { Clock, Env } from '../context.ts';
import type { Output } from '../render/output.ts';
import type { Messages } from '../terminal/messages.ts';
import type { Command } from './command.ts';

export interface ClientParts {
  readonly command: Command;
  readonly settings: Settings;
  readonly env: Env;
  readonly clock: Clock;
  readonly out: Output;
  readonly messages: Messages;
  readonly signal: AbortSignal;
  /** `process.versions.node`. */
  readonly nodeVersion: string;
  /** Version of cictl, for the header `User-Agent`. */
  readonly version: string;
}

export interface LazyClient {
  get(): Promise<Client>;
  /** Ends what was opened, and waits until `--dry-run` has shown its requests. */
  close(): Promise<void>;
}

/** The client of the settings' service; its code is loaded when a command first asks for it. */
export function lazyClient(parts: ClientParts): LazyClient {
  let made: Promise<Client> | undefined;
  let shown = Promise.resolve();
  const dryRun = (request: PlannedRequest): void => {
    shown = shown.then(() => show(request, parts.out));
  };
  return {
    get: () => (made ??= open(parts, dryRun)),
    close: async () => {
      await shown;
      await (await made?.catch(() => undefined))?.close();
    },
  };
}

/** A missing credential is told before the network is touched, with the ways on. */
async function open(
  { command, settings, messages, ...parts }: ClientParts,
  dryRun: (request: PlannedRequest) => void,
): Promise<Client> {
  if (command.credential === 'agent') requireAgentToken(settings);
  else requireToken(settings);
  const [{ createClient }, { createTransport }] = await Promise.all([
    import('../api/client.ts'),
    import('../http/network.ts'),
  ]);
  const { dryRun: isDryRun, ...addresses } = settings;
  return createClient({
    ...addresses,
    transport: createTransport(parts),
    clock: parts.clock,
    signal: parts.signal,
    notice: (line) => messages.note(line),
    debug: (line) => messages.debug(line),
    userAgent: `cictl/${parts.version}`,
    ...(isDryRun && { dryRun }),
  });
}

/** Method, address and body; as JSON where JSON was asked for. */
async function show({ method, url, body }: PlannedRequest, out: Output): Promise<void> {
  if (out.format === 'table' || out.format === 'tsv') {
    return out.write(`${method} ${url}\n${body === undefined ? '' : `${body}\n`}`);
  }
  const request = { method, url, body: body === undefined ? null : (JSON.parse(body) as unknown) };
  return out.document(JSON.stringify(request));
}
