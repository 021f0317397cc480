import { constants } from 'node:fs';
import { platform } from 'node:os';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { listedAgent } from '../../api/resources/agent.ts';
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError, CictlError } from '../../errors.ts';
import { callAdmin } from '../../service/admin.ts';
import type { localAgentStart } from './index.ts';
import { runningService, showCall } from './with-service.ts';
import { serviceEnv } from './service-env.ts';

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
