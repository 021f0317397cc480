import type { Readable } from 'node:stream';
import { DryRun, type PlannedRequest } from '../api/call.ts';
import { gitLayer } from '../config/git-settings.ts';
import { isFromCurrentProfile, isBuiltInProfile, loginHint } from '../config/setting-origins.ts';
import { profileSecrets } from '../config/known-secrets.ts';
import { readProfiles } from '../config/profiles.ts';
import {
  resolveSettings,
  type Settings,
  type GlobalFlags,
  requireAgentToken,
  requireToken,
} from '../config/settings.ts';
import { isOn } from '../config/setting-parsers.ts';
import { checkEnv } from '../config/resolve-settings.ts';
import type { Context, ServiceAddress } from '../context.ts';
import { CictlError } from '../errors.ts';
import { createOutput, type Output, printRequest } from '../render/output.ts';
import { ReaderGone, type DataStream } from '../render/data-stream.ts';
import { wantsColor, dataStream, type OutputTarget } from '../terminal/streams.ts';
import { createMessages, type Messages } from '../terminal/messages.ts';
import { type PromptsParts, createPrompts, type Prompts } from '../terminal/prompt.ts';
import type { Secrets } from '../terminal/secrets.ts';
import type { Stdin } from '../terminal/stdin.ts';
import { openRemembered } from './remembered.ts';
import type { Command } from '../command/command.ts';
import type { Invocation } from './parse.ts';
import { type Clock, withTimeLimit } from '../common/clock.ts';
import type { Env } from '../common/env.ts';
import type { Client } from '../api/client.ts';

/** The parts of the process that commands use. */
export interface Host {
  readonly env: Env;
  readonly cwd: string;
  readonly clock: Clock;
  readonly stdin: Stdin;
  /** Opened only if a prompt is created. */
  openStdin(): PromptsParts['stdin'] & Readable;
  readonly stdout: OutputTarget;
  readonly stderr: OutputTarget;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
  readonly urgent: AbortSignal;
  readonly nodeVersion: string;
  readonly version: string;
}

type Run = Extract<Invocation, { kind: 'run' }>;

/** Runs a parsed command and returns its exit code. Enforces `--timeout`. */
export function runCommand(run: Run, host: Host): Promise<number> {
  const { timeout } = run.input;
  if (typeof timeout !== 'number') return runToEnd(run, host);
  const reason = new CictlError('timeout', `timed out after ${timeout / 1000} s`);
  return withTimeLimit(
    (limit) => runToEnd(run, { ...host, signal: AbortSignal.any([host.signal, limit]) }),
    { ms: timeout, clock: host.clock, reason },
  );
}

async function runToEnd(run: Run, host: Host): Promise<number> {
  const { entry, globals, input } = run;
  const { command } = entry;
  const { settings, warnings } = settingsOf(command, globals, host);
  const { context, close } = await openContext(run, settings, host);
  try {
    for (const warning of warnings) context.messages.warn(warning);
    for (const [key, source] of Object.entries(settings.sources)) {
      // The command itself reports which pipeline it uses.
      if (key === 'pipeline' && isFromCurrentProfile(settings, key)) continue;
      context.messages.debug(`${key} comes from ${source}`);
    }
    await context.out.check(command.resource, command);
    const handler = await entry.load();
    return (await handler(input as never, context)) ?? 0;
  } catch (error) {
    if (error instanceof DryRun || error instanceof ReaderGone) return 0;
    if (error instanceof CictlError && error.status === 404)
      await explainMissing(error, command, context);
    throw error;
  } finally {
    await close();
  }
}

/** Handles a 404: a remembered pipeline may have been renamed, or its name may be misspelled. */
async function explainMissing(error: CictlError, { settings }: Command, context: Context) {
  await context.remembered.drop();
  // Commands without settings do not use the configured service.
  if (error.missing === undefined || settings !== undefined) return;
  const { suggestSlug } = await import('../refs/suggest-slug.ts');
  await suggestSlug(error, error.missing, context);
}

function settingsOf({ settings: need }: Command, globals: GlobalFlags, host: Host) {
  const sound = need === undefined ? { env: host.env, errors: [] } : checkEnv(host.env);
  const warnings = sound.errors.map(({ message }) => `ignored: ${message}`);
  const profiles = () => {
    const found = readProfiles(host.env);
    host.secrets.add(...profileSecrets(found));
    if (found.exposed !== undefined) warnings.push(exposed(found.exposed));
    return found;
  };
  const git = gitLayer(host.env, host.cwd);
  const settings = resolveSettings(globals, sound.env, profiles, git);
  return { settings, warnings: need === 'unused' ? [] : warnings };
}

const exposed = (file: string): string =>
  `other users can read the tokens in ${file}; to fix: chmod 600 '${file}'`;

async function openContext(
  { entry: { command }, globals, input }: Run,
  settings: Settings,
  host: Host,
): Promise<{ context: Context; close: () => Promise<void> }> {
  const { env, clock, signal, stdout, stderr } = host;
  const color = (target: OutputTarget) => wantsColor(settings.color, env, target.isTTY === true);
  const isDumb = env['TERM'] === 'dumb';
  // CI logs keep every frame of an animation.
  const isStill = isDumb || isOn(env['CI']);
  const messages = createMessages({
    stream: stderr,
    // A terminal with TERM=dumb cannot erase a spinner.
    outputIsTerminal: stdout.isTTY === true && !isStill,
    settings,
    color: color(stderr),
    secrets: host.secrets,
  });
  const stream = dataStream(stdout, settings.output === 'table' ? columnsOf(env) : undefined);
  const page = isPaged(command, input) ? pager(settings, host, messages, stream) : undefined;
  const out = await createOutput({
    settings,
    stream,
    isStill,
    color: color(stdout),
    clock,
    signal,
    messages,
    ...(page && { page }),
  });
  const { client, connect, close } = createClients({ ...host, command, settings, out, messages });
  let prompts: Prompts | undefined;
  const context: Context = {
    ...host,
    ...{ settings, client, connect, out, messages },
    remembered: openRemembered(settings, env, clock),
    async run(args, streams) {
      const { runInside } = await import('./run-inside.ts');
      return runInside(args, streams, { outer: globals, host });
    },
    get prompts() {
      return (prompts ??= createPrompts({
        ...{ ...host, settings, isDumb, color: color(stderr.isTTY === true ? stderr : stdout) },
        stdin: host.openStdin(),
      }));
    },
  };
  return {
    context,
    async close() {
      await close();
      await out.close();
    },
  };
}

/** The width of `-o table` in a pipe. */
const columnsOf = ({ COLUMNS: columns = '' }: Env): number =>
  /^[1-9]\d{0,4}$/.test(columns) ? Number(columns) : Infinity;

/** Live output does not go through a pager. */
const isPaged = ({ paged, options }: Command, input: Run['input']): boolean =>
  paged === true &&
  !Object.entries(options).some(([key, option]) => 'live' in option && input[key] === true);

function pager(
  { pager: setting, input }: Settings,
  { env, stdin, stdout, stderr }: Host,
  messages: Messages,
  screen: DataStream,
): (() => Promise<DataStream | undefined>) | undefined {
  if (setting === undefined) return undefined;
  const { command, isOwn } = setting;
  // A CI job may have a terminal but no user at it.
  if (!isOwn && (!stdin.isTerminal || !input || env['TERM'] === 'dumb')) return undefined;
  return async () => {
    const { openPager, pageWhereFull } = await import('../terminal/pager.ts');
    const open = () => openPager({ command, env, stdout });
    return pageWhereFull({ screen, messages, messageStream: stderr, isOwn, openPager: open });
  };
}

interface ClientParts extends Host {
  readonly command: Command;
  readonly settings: Settings;
  readonly out: Output;
  readonly messages: Messages;
}

/** Loads clients only when a command needs one, because loading takes most of the startup time. */
function createClients(parts: ClientParts) {
  const { command, settings } = parts;
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
  const openOwn = async (): Promise<Client> => {
    // Reports a missing credential before the first request.
    if (command.credential === 'agent') requireAgentToken(settings);
    else requireToken(settings);
    return connect({ ...settings, login: loginHint(settings) }, parts.signal);
  };
  return {
    /** A client for the service in the settings; created once. */
    client: () => (own ??= openOwn()),
    connect: ({ url, ...tokens }: ServiceAddress, signal: AbortSignal) =>
      connect({ ...tokens, baseUrl: url, agentUrl: url, graphqlUrl: url }, signal),
    /** Closes all clients, after `--dry-run` has printed its requests. */
    close: async () => {
      await shown;
      // Abort requests that nobody waits for, because they would keep the process alive.
      closing.abort(new Error('the command has finished'));
      for (const client of await Promise.allSettled(opened)) {
        if (client.status === 'fulfilled') await client.value.close();
      }
    },
  };
}

type Addresses = Pick<Settings, 'baseUrl' | 'agentUrl' | 'graphqlUrl' | 'token' | 'agentToken'> &
  Pick<ServiceAddress, 'isBuiltIn' | 'remark'> & { readonly login?: string };

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

/** The `local` profile also means the local service, unless its URL was changed. */
const isBuiltIn = ({ isBuiltIn, baseUrl }: Addresses, settings: Settings): boolean =>
  isBuiltIn === true || (baseUrl === settings.baseUrl && isBuiltInProfile(settings));
