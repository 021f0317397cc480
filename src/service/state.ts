/** `service.json`, which `local` and `run` use to find a running service. Contains tokens. */
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
  /** Whether the process only runs the service. */
  readonly ownsProcess: boolean;
  /** When the process started (`runner/processes.ts`); null if unknown. */
  readonly processStart: string | null;
}

/** Values that must not appear in messages. */
export const stateSecrets = (state: Partial<ServiceState>): (string | undefined)[] => [
  state.adminToken,
  state.token,
  state.agentToken,
];

const stateFile = (dataDir: string): string => join(dataDir, 'service.json');

export async function readState(dataDir: string): Promise<ServiceState | undefined> {
  try {
    return asState(JSON.parse(await readFile(stateFile(dataDir), 'utf8')));
  } catch {
    return undefined;
  }
}

export const writeState = (dataDir: string, state: ServiceState): Promise<void> =>
  replaceFile(stateFile(dataDir), `${JSON.stringify(state)}\n`, 0o600);

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
  // State files of older versions lack some fields.
  const start = typeof processStart === 'string' ? processStart : null;
  const own = { ownsProcess: ownsProcess === true, processStart: start };
  return { url, pid, adminToken, token, agentToken: agentToken ?? '', ...own };
}

/** Thrown if another service has locked the data directory. Callers may use the other service. */
export class FolderInUseError extends CictlError {
  constructor(dataDir: string, cause: unknown) {
    super('machine', `cannot use ${dataDir}: another service is using it`, {
      // Users only see this error if the other service does not respond.
      hint: 'cictl local down',
      cause,
    });
  }
}
