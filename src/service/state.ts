/**
 * The state file of a running service, `service.json` in the data folder: how `local` and `run`
 * find it. Mode 0600, since it holds tokens; removed when the service closes in order.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../common/write-files.ts';
import { CictlError } from '../errors.ts';

export interface ServiceState {
  readonly url: string;
  readonly pid: number;
  readonly adminToken: string;
  readonly token: string;
  readonly agentToken: string;
  /** The process is there for the service alone. */
  readonly ownsProcess: boolean;
  /** When that process began (`running-process.ts`); null where the system does not say. */
  readonly processStart: string | null;
}

/** What a message must not show of it. */
export const stateSecrets = (state: Partial<ServiceState>): (string | undefined)[] => [
  state.adminToken,
  state.token,
  state.agentToken,
];

const stateFile = (dataDir: string): string => join(dataDir, 'service.json');

/** What the file says, undefined where there is none or it cannot be read as such. */
export async function readState(dataDir: string): Promise<ServiceState | undefined> {
  try {
    return asState(JSON.parse(await readFile(stateFile(dataDir), 'utf8')));
  } catch {
    return undefined;
  }
}

/** In one step: whoever reads it meanwhile must not take it for damaged. */
export const writeState = (dataDir: string, state: ServiceState): Promise<void> =>
  replaceFile(stateFile(dataDir), `${JSON.stringify(state)}\n`, 0o600);

/** Removes the file where it is that of this service, and leaves another's. */
export async function removeState(
  dataDir: string,
  { adminToken }: Pick<ServiceState, 'adminToken'>,
): Promise<void> {
  const found = await readState(dataDir);
  if (found?.adminToken === adminToken) await rm(stateFile(dataDir), { force: true });
}

function asState(value: unknown): ServiceState | undefined {
  const { url, pid, adminToken, token, agentToken } = value as Partial<ServiceState>;
  const { ownsProcess, processStart } = value as Partial<ServiceState>;
  if (typeof url !== 'string' || typeof pid !== 'number') return undefined;
  if (typeof adminToken !== 'string' || typeof token !== 'string') return undefined;
  // Those of older versions have less.
  const start = typeof processStart === 'string' ? processStart : null;
  const own = { ownsProcess: ownsProcess === true, processStart: start };
  return { url, pid, adminToken, token, agentToken: agentToken ?? '', ...own };
}

/** Another service has the data folder: it may be found and used in place of a new one. */
export class FolderInUseError extends CictlError {
  constructor(dataDir: string, cause: unknown) {
    super('machine', `cannot use ${dataDir}: another service holds it`, {
      // For whoever gets to see it, that service has not responded.
      hint: 'cictl local down',
      cause,
    });
  }
}
