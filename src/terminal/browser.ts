import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { existsSync } from 'node:fs';
import { CictlError } from '../errors.ts';
import type { Env } from '../common/env.ts';

/**
 * Opens an address in the user's browser: `BROWSER`, else what `open` finds on this platform. The
 * address may come from a service, so that anything but http and https is refused.
 */
export async function openBrowser(address: string, env: Env): Promise<void> {
  await start(webAddress(address), env);
}

/** Opens a file of ours, by its absolute path. */
export async function openFile(path: string, env: Env): Promise<void> {
  await start(pathToFileURL(path).href, env);
}

async function start(url: string, env: Env): Promise<void> {
  try {
    await (env['BROWSER'] ? startProgram(env['BROWSER'], url, env) : openDefault(url));
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).path ?? 'its program';
    const target = url.startsWith('file:') ? '' : ` for ${url}`;
    const message = `no browser could be started${target}: ${missing} is missing`;
    throw new CictlError('machine', message, { cause, hint: 'set BROWSER to a program' });
  }
}

/** The address as a browser takes it. Code 9 for what is none of a web page. */
export function webAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new CictlError('invalid_response', `${JSON.stringify(address)} is no web address`);
}

async function startProgram(text: string, url: string, env: Env): Promise<void> {
  const [program = '', ...args] = browserCommand(text, url);
  const child = spawn(program, args, { stdio: 'ignore', detached: true, env });
  await once(child, 'spawn');
  child.unref();
}

async function openDefault(url: string): Promise<void> {
  const { openUrl } = await import('./open.ts');
  await openUrl(url);
}

/**
 * The program and its arguments that `BROWSER` means for an address: `firefox --new-window`, with
 * `%s` where the address goes, else at the end. Words are quoted as for a shell, but no shell reads
 * them: the address comes from a service. The path of a program may hold spaces.
 */
export function browserCommand(text: string, url: string): string[] {
  const words = existsSync(text) ? [text] : split(text);
  const [program = text, ...rest] = words.map((word) => word.replaceAll('%s', () => url));
  return words.some((word) => word.includes('%s')) ? [program, ...rest] : [program, ...rest, url];
}

const split = (text: string): string[] =>
  (text.match(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g) ?? []).map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => {
      return double ?? single ?? '';
    }),
  );
