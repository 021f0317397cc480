/** The bundled built-in service on a free port, as other programs start it. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Service, ServiceOptions } from '../../src/service/start-service.ts';
import { createHome, type Home } from './home.ts';
import { addEmptyDatabase } from './empty-database.ts';

export interface TestService extends Service {
  /** A user whose environment selects this service. */
  readonly home: Home;
  /** Stops the service and removes its user's directories. */
  stop(): Promise<void>;
}

/** A service that stops when the current test has finished. */
export async function useService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const service = await createService(options);
  onTestFinished(() => service.stop());
  return service;
}

/** A service shared by several tests. Call `stop` in `afterAll`. */
export async function createService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const home = await createHome();
  const start = await bundled();
  const dataDir = join(home.root, 'service');
  addEmptyDatabase(dataDir);
  const service = await start({
    dataDir,
    hostEnv: home.env,
    port: 0,
    ...options,
  });
  const stop = async (): Promise<void> => {
    await service.close();
    await home.remove();
  };
  return { ...service, home: { ...home, env: { ...home.env, ...leadTo(service) } }, stop };
}

/** A service with the caller's directory, and the variables that select it. */
export async function openService(options: ServiceOptions) {
  const start = await bundled();
  const service = await start(options);
  return { service, leading: leadTo(service) };
}

type Start = (options: ServiceOptions) => Promise<Service>;

async function bundled(): Promise<Start> {
  const path = join(import.meta.dirname, '../../dist/service.js');
  const { startService } = (await import(path)) as { startService: Start };
  return startService;
}

const leadTo = (service: Service): Record<string, string> => ({
  CICTL_BASE_URL: service.url,
  CICTL_TOKEN: service.token,
  CICTL_AGENT_TOKEN: service.agentToken,
  CICTL_ORG: service.org,
});
