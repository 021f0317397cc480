/** The built-in service, as other programs start it: the bundled one, on a free port. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Service, ServiceOptions } from '../../src/service/start-service.ts';
import { createHome, type Home } from './home.ts';
import { addEmptyDatabase } from './empty-database.ts';

export interface TestService extends Service {
  /** A user whose environment leads to this service. */
  readonly home: Home;
  /** Ends the service and removes the folders of its user. */
  stop(): Promise<void>;
}

/** A service that ends when the test at hand has finished. */
export async function useService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const service = await createService(options);
  onTestFinished(() => service.stop());
  return service;
}

/** A service that several tests share; call `stop` in `afterAll`. */
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

/** A service on a folder of the caller's, and the variables that lead the tool to it. */
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
