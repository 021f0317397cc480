/** A scene with a background service, as started by `local up`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cictl } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';
import { createHome, type Home } from '../support/home.ts';
import type { AgentProgram } from '../support/agents.ts';
import { createScene, type Scene } from './scene.ts';

export interface BackgroundScene extends Scene {
  /** Starts the service again on the same port. */
  readonly up: () => Promise<void>;
}

/** `flags` are flags of `local up`. */
export async function openBackground(
  program: AgentProgram,
  flags: readonly string[] = [],
): Promise<BackgroundScene> {
  const home = await createHome();
  const onPort = ['--port', String(await freePort()), ...flags];
  const url = await startService(home, onPort);
  const { token, agentToken } = await readState(home);
  const close = async (): Promise<void> => {
    await cictl(['local', 'down'], { home });
    await home.remove();
  };
  const scene = createScene({ program, home, url, token, agentToken, close });
  const up = async (): Promise<void> => {
    await startService(home, onPort);
  };
  return { ...scene, up };
}

async function startService(home: Home, flags: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await cictl(['local', 'up', ...flags], { home });
  if (exitCode !== 0) throw new Error(stderr);
  return stdout.trim();
}

const readState = async (home: Home): Promise<{ token: string; agentToken: string }> =>
  JSON.parse(await readFile(join(home.dataDir, 'service.json'), 'utf8')) as {
    token: string;
    agentToken: string;
  };
