/** The service on a data folder that `cictl run` has left. */
import type { Home } from '../support/home.ts';
import { openService } from '../support/service.ts';
import type { Ask } from './ask.ts';

export interface Opened {
  readonly state: { readonly url: string; readonly adminToken: string };
  readonly ask: Ask;
  /** Variables that lead the tool to it. */
  readonly leading: Readonly<Record<string, string>>;
}

/** Opens the data folder of the user for a moment. */
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
