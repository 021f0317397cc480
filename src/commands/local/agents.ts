import { constants } from 'node:fs';
import { platform } from 'node:os';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import {
  listedAgent,
  jobReference,
  agentState,
  type ListedAgent,
} from '../../api/resources/agent.ts';
import type { Handler } from '../../command/command.ts';
import type {
  localAgents,
  localAgentPause,
  localAgentResume,
  localAgentStop,
  localAgentStart,
} from './index.ts';
import { onRunningService, runningService, showCall } from './with-service.ts';
import type { Agents } from '../../api/agents.ts';
import type { Context } from '../../context.ts';
import { usageError, CictlError } from '../../errors.ts';
import { duration } from '../../render/time.ts';
import type { Client } from '../../api/client.ts';
import { assertResource } from '../../api/resources/check.ts';
import { callAdmin } from '../../service/admin.ts';
import { serviceEnv } from './start.ts';

/** `cictl local agents`. */
export const listAgents: Handler<typeof localAgents> = (_, context) =>
  onRunningService(context, ({ agents }, { out, settings }) =>
    out.list(listedAgent, agents.list(settings.org ?? 'local'), {
      empty: 'no agents: cictl local agent start, or cictl local up --slots N',
    }),
  );

// `cictl local agent stop|pause|resume`: what is asked of an agent, it hears at its next ping.

/** `cictl local agent stop NAME`. */
export const stopAgent: Handler<typeof localAgentStop> = ({ name, force }, context) =>
  change(context, name, async (agents, org, agent) => {
    await agents.stop(org, agent, { force });
    const job = jobReference(agent);
    if (job === undefined) return `agent ${name} ends`;
    return force
      ? `agent ${name} ends, and its job ${job} is canceled`
      : `agent ${name} ends after its job ${job}`;
  });

/** `cictl local agent pause NAME`. */
export const pauseAgent: Handler<typeof localAgentPause> = (input, context) => {
  const minutes = minutesOf(input.for);
  return change(context, input.name, async (agents, org, agent) => {
    const note = input.note === undefined ? {} : { note: input.note };
    await agents.pause(org, agent, { ...note, timeout_in_minutes: minutes });
    return `agent ${input.name} is paused for ${duration(minutes * 60_000)}`;
  });
};

/** `cictl local agent resume NAME`. */
export const resumeAgent: Handler<typeof localAgentResume> = ({ name }, context) =>
  change(context, name, async (agents, org, agent) => {
    await agents.resume(org, agent);
    return `agent ${name} gets jobs again`;
  });

type Change = (agents: Agents, org: string, agent: NamedAgent) => Promise<string>;

/** `perform` says what was done. */
const change = (context: Context, name: string, perform: Change): Promise<void> =>
  onRunningService(context, async (client, { settings, messages }) => {
    const org = settings.org ?? 'local';
    const agent = await findAgent(client, org, name);
    messages.note(await perform(client.agents, org, agent));
  });

/** As many as the public service takes at most: seven days. */
const mostMinutes = 10_080;

/** Begun minutes count whole: the API knows no others. */
function minutesOf(ms = 300_000): number {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes >= 1 && minutes <= mostMinutes) return minutes;
  throw usageError('--for takes a duration from 1m to 7d');
}

/** An agent as commands change it. */
type NamedAgent = ListedAgent & { readonly id: string };

/**
 * The connected agent of that id, else of that name. Code 7 where there is none, 2 where several
 * have the name, as they may.
 */
export async function findAgent(
  { agents }: Client,
  org: string,
  text: string,
): Promise<NamedAgent> {
  const all: NamedAgent[] = [];
  for await (const agent of agents.list(org)) {
    assertResource(listedAgent, agent);
    if (typeof agent.id === 'string') all.push({ ...agent, id: agent.id });
  }
  const byId = all.find(({ id }) => id === text);
  const named = all.filter(({ name }) => name === text);
  if (byId === undefined && named.length > 1) throw severalAgents(text, named);
  const found = byId ?? named[0];
  if (found === undefined)
    throw new CictlError('not_found', `no agent ${JSON.stringify(text)} is connected`, {
      hint: 'cictl local agents',
    });
  return found;
}

const severalAgents = (name: string, agents: readonly NamedAgent[]): CictlError =>
  new CictlError('usage', `${JSON.stringify(name)} names ${agents.length} agents`, {
    details: agents.map((agent) => [agent.id, agent.hostname, agentState(agent)].join(' ')),
    hint: `name the id: ${agents[0]?.id ?? ''}`,
  });

/** Milliseconds: an agent on a busy machine takes a while to register. */
const longestStart = 60_000;
/** More than a machine can use are a slip. */
const mostAgents = 100;

/** `cictl local agent start`: the service starts them, so that they end with it. */
export const startAgents: Handler<typeof localAgentStart> = async (input, context) => {
  const { count = 1, rest: args } = input;
  if (count < 1 || count > mostAgents)
    throw usageError(`--count takes a number from 1 to ${mostAgents}, not ${count}`);
  await context.out.check(listedAgent);
  const binary = await findAgentBinary(input.agentBinary, context);
  const state = await runningService(context);
  const shown = { binary, args, count };
  await showCall(context, state.url, ['POST', '/agents', shown]);
  const body = { ...shown, env: agentEnv(context) };
  const started = await callAdmin(state, 'POST', '/agents', body, longestStart);
  const { agents } = started as { agents: { name: string }[] };
  await context.out.list(listedAgent, agents);
  const what = agents.length === 1 ? 'an agent' : `${agents.length} agents`;
  context.messages.note(`started ${what}; they end with the local service`);
};

/** As for the service, whose folders are no business of jobs. */
const agentEnv = (context: Context) =>
  Object.fromEntries(
    Object.entries(serviceEnv(context)).filter(([name]) => !name.startsWith('CICTL_')),
  );

/**
 * Absolute path of the `buildkite-agent` to start: the named file, else the first on PATH. Code 2
 * where the named one is no program, 10 where there is none.
 */
async function findAgentBinary(
  named: string | undefined,
  { env, cwd }: Pick<Context, 'env' | 'cwd'>,
): Promise<string> {
  if (named !== undefined) {
    const path = resolve(cwd, named);
    if (await isProgram(path)) return path;
    throw usageError(`--agent-binary ${JSON.stringify(named)} is no program: get it at ${source}`);
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = resolve(cwd, join(folder, program));
    if (folder !== '' && (await isProgram(path))) return path;
  }
  throw new CictlError(
    'machine',
    `buildkite-agent is not on PATH: get it at ${source}, or name it with --agent-binary FILE`,
  );
}

const source = 'https://github.com/buildkite/agent/releases';

const program = platform() === 'win32' ? 'buildkite-agent.exe' : 'buildkite-agent';

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK)
    .then(() => stat(path))
    .then(
      (found) => found.isFile(),
      () => false,
    );
