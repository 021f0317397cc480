/** A scene with a service in this process, without slots: real agents run all jobs. */
import type { ServiceOptions } from '../../src/service/service.ts';
import { createHome } from '../support/home.ts';
import { openService } from '../support/service.ts';
import type { AgentProgram } from '../support/agents.ts';
import { createScene, type Scene } from './scene.ts';

export async function openScene(
  program: AgentProgram,
  options: Partial<ServiceOptions> = {},
): Promise<Scene> {
  const home = await createHome();
  const usual = { dataDir: home.dataDir, hostEnv: home.env, port: 0, slots: 0 };
  const { service, leading } = await openService({ ...usual, ...options });
  const close = async (): Promise<void> => {
    await service.close({ kill: true });
    await home.remove();
  };
  const { url, token, agentToken } = service;
  const env = { ...home.env, ...leading };
  return createScene({ program, home: { ...home, env }, url, token, agentToken, close });
}
