import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CictlError } from '../errors.ts';
import type { Env } from '../env.ts';

/**
 * Opens an address in the user's browser: `BROWSER`, else the opener of the platform. The address
 * may come from a service, so that anything but http and https is refused.
 */
export async function openBrowser(
  address: string,
  env: Env,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const url = webAddress(address);
  const [program, ...args] = opener(env, platform);
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env });
  try {
    await once(child, 'spawn');
  } catch (cause) {
    const message = `no browser could be started for ${url}: ${program} is missing`;
    throw new CictlError('machine', message, { cause, hint: 'set BROWSER to a program' });
  }
  child.unref();
}

function webAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new CictlError('invalid_response', `${JSON.stringify(address)} is no web address`);
}

function opener(env: Env, platform: NodeJS.Platform): [string, ...string[]] {
  const chosen = env['BROWSER'];
  if (chosen !== undefined && chosen !== '') return [chosen];
  if (platform === 'darwin') return ['open'];
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
