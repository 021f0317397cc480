import type { AgentProcesses, ProcessParts } from './agent-processes.ts';

/** Few services start agents: the rest is loaded where the first is wanted. */
export function lazyAgentProcesses(parts: ProcessParts): AgentProcesses {
  let loading: Promise<AgentProcesses> | undefined;
  const load = async (): Promise<AgentProcesses> => {
    const { createAgentProcesses } = await import('./agent-processes.ts');
    return createAgentProcesses(parts);
  };
  return {
    start: async (wanted) => (await (loading ??= load())).start(wanted),
    stop: async (kill) => (await loading)?.stop(kill),
  };
}
