import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Agents } from '../../api/agents.ts';
import type { Client } from '../../api/client.ts';
import {
  listedAgent,
  jobReference,
  agentState,
  type ListedAgent,
} from '../../api/resources/agent.ts';
import { assertResource } from '../../api/resources/check.ts';
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError, CictlError } from '../../errors.ts';
import { duration } from '../../render/time.ts';
import { callAdmin } from '../../service/admin.ts';
import type {
  localAgentPause,
  localAgentResume,
  localAgents,
  localAgentStart,
  localAgentStop,
} from './index.ts';
import { serviceEnv } from './start.ts';
import { onRunningService, runningService, showCall } from './with-service.ts';

export const listAgents: Handler<typeof localAgents> = (_, context) =>
  onRunningService(context, ({ agents }, { out, settings }) =>
    out.list(listedAgent, agents.list(settings.org ?? 'local'), {
      empty: 'no agents; to start one: cictl local agent start, or cictl local up --slots N',
    }),
  );

/** Milliseconds. An agent may take this long to register on a busy machine. */
const startTimeout = 60_000;

/** The service starts the agents, so they stop together with the service. */
export const startAgents: Handler<typeof localAgentStart> = async (input, context) => {
  const { count = 1, rest: args } = input;
  if (count < 1 || count > 100) throw usageError(`--count must be between 1 and 100, not ${count}`);
  await context.out.check(listedAgent);
  const binary = await findAgentBinary(input.agentBinary, context);
  const state = await runningService(context);
  const shown = { binary, args, count };
  await showCall(context, state.url, ['POST', '/agents', shown]);
  const own = Object.entries(serviceEnv(context)).filter(([name]) => !name.startsWith('CICTL_'));
  const body = { ...shown, env: Object.fromEntries(own) };
  const started = await callAdmin(state, 'POST', '/agents', body, startTimeout);
  const { agents } = started as { agents: { name: string }[] };
  await context.out.list(listedAgent, agents);
  const what = agents.length === 1 ? 'an agent' : `${agents.length} agents`;
  context.messages.note(`started ${what}; the local service stops its agents when it stops`);
};

/**
 * Absolute path of the given `buildkite-agent`, or of the first one on PATH. Exit code 2 if the
 * given file is not a program, 10 if there is no such program on PATH.
 */
async function findAgentBinary(given: string | undefined, { env, cwd }: Context): Promise<string> {
  const source = 'https://github.com/buildkite/agent/releases';
  if (given !== undefined) {
    const path = resolve(cwd, given);
    if (await isProgram(path)) return path;
    throw usageError(
      `--agent-binary ${JSON.stringify(given)} is not a program; get buildkite-agent from ${source}`,
    );
  }
  const program = platform() === 'win32' ? 'buildkite-agent.exe' : 'buildkite-agent';
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const path = resolve(cwd, join(folder, program));
    if (folder !== '' && (await isProgram(path))) return path;
  }
  throw new CictlError(
    'machine',
    `buildkite-agent is not on PATH; get it from ${source}, or use --agent-binary FILE`,
  );
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export const stopAgent: Handler<typeof localAgentStop> = ({ name, force }, context) =>
  change(context, name, async (agents, org, agent) => {
    await agents.stop(org, agent, { force });
    const job = jobReference(agent);
    if (job === undefined) return `agent ${name} is stopping`;
    return force
      ? `agent ${name} is stopping, and its job ${job} is being canceled`
      : `agent ${name} will stop after its job ${job}`;
  });

export const pauseAgent: Handler<typeof localAgentPause> = (input, context) => {
  // The API only accepts whole minutes, at most seven days.
  const minutes = Math.ceil((input.for ?? 300_000) / 60_000);
  if (minutes < 1 || minutes > 10_080) throw usageError('--for must be between 1m and 7d');
  return change(context, input.name, async (agents, org, agent) => {
    const note = input.note === undefined ? {} : { note: input.note };
    await agents.pause(org, agent, { ...note, timeout_in_minutes: minutes });
    return `agent ${input.name} is paused for ${duration(minutes * 60_000)}`;
  });
};

export const resumeAgent: Handler<typeof localAgentResume> = ({ name }, context) =>
  change(context, name, async (agents, org, agent) => {
    await agents.resume(org, agent);
    return `agent ${name} is no longer paused`;
  });

/** Prints the message that `perform` returns. The agent learns of the change at its next ping. */
const change = (
  context: Context,
  name: string,
  perform: (agents: Agents, org: string, agent: NamedAgent) => Promise<string>,
): Promise<void> =>
  onRunningService(context, async (client, { settings, messages }) => {
    const org = settings.org ?? 'local';
    const agent = await findAgent(client, org, name);
    messages.note(await perform(client.agents, org, agent));
  });

type NamedAgent = ListedAgent & { readonly id: string };

/**
 * The connected agent with this ID, otherwise with this name. Exit code 7 if there is no such
 * agent, 2 if several agents have the name.
 */
async function findAgent({ agents }: Client, org: string, text: string): Promise<NamedAgent> {
  const all: NamedAgent[] = [];
  for await (const agent of agents.list(org)) {
    assertResource(listedAgent, agent);
    if (typeof agent.id === 'string') all.push({ ...agent, id: agent.id });
  }
  const byId = all.find(({ id }) => id === text);
  const named = all.filter(({ name }) => name === text);
  if (byId === undefined && named.length > 1)
    throw new CictlError('usage', `${named.length} agents are named ${JSON.stringify(text)}`, {
      details: named.map((agent) => [agent.id, agent.hostname, agentState(agent)].join(' ')),
      hint: `use the ID of an agent, such as ${named[0]?.id ?? ''}`,
    });
  const found = byId ?? named[0];
  if (found !== undefined) return found;
  throw new CictlError('not_found', `no agent ${JSON.stringify(text)} is connected`, {
    hint: 'cictl local agents',
  });
}
