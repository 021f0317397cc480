import { listedAgent } from '../../api/resources/listed-agent.ts';
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { callAdmin } from '../../service/admin.ts';
import { findAgentBinary } from './agent-binary.ts';
import type { localAgentStart } from './index.ts';
import { runningService } from './on-local-service.ts';
import { serviceEnv } from './service-env.ts';
import { showCall } from './show-call.ts';

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
