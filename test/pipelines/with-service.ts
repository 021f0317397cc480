/** A service with the data directory that `cictl run` has left. */
import type { Home } from '../support/home.ts';
import { openService } from '../support/service.ts';
import type { Ask } from './ask.ts';

export interface Opened {
  readonly state: { readonly url: string; readonly adminToken: string };
  readonly ask: Ask;
  /** The environment variables that select it. */
  readonly leading: Readonly<Record<string, string>>;
}

/** Runs a service with the user's data directory during the call. */
export async function withService<T>(
  home: Home,
  hostEnv: Readonly<Record<string, string>>,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const { service, leading } = await openService({ dataDir: home.dataDir, hostEnv, port: 0 });
  const headers = { authorization: `Bearer ${service.token}` };
  const base = `${service.url}/v2/organizations/local`;
  try {
    return await use({
      state: service,
      ask: (path) => fetch(base + path, { headers }),
      leading: { ...hostEnv, ...leading },
    });
  } finally {
    await service.close();
  }
}
