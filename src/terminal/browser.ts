import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { existsSync } from 'node:fs';
import { CictlError } from '../errors.ts';
import type { Env } from '../common/env.ts';

/** Uses `BROWSER` or the platform's default. Opens only http(s), because services send URLs. */
export async function openBrowser(address: string, env: Env): Promise<void> {
  await start(webAddress(address), env);
}

export const openFile = (path: string, env: Env): Promise<void> =>
  start(pathToFileURL(path).href, env);

async function start(url: string, env: Env): Promise<void> {
  try {
    await (env['BROWSER'] ? startProgram(env['BROWSER'], url, env) : openDefault(url));
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).path ?? 'its program';
    const target = url.startsWith('file:') ? '' : ` for ${url}`;
    const message = `cannot start a browser${target}: ${missing} is missing`;
    throw new CictlError('machine', message, { cause, hint: 'export BROWSER=PROGRAM' });
  }
}

/** Returns the normalized URL of a web page. Exit code 9 if it is invalid. */
export function webAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new CictlError('invalid_response', `${JSON.stringify(address)} is not a web URL`);
}

async function startProgram(text: string, url: string, env: Env): Promise<void> {
  const [program = '', ...args] = browserCommand(text, url);
  const child = spawn(program, args, { stdio: 'ignore', detached: true, env });
  await once(child, 'spawn');
  child.unref();
}

async function openDefault(url: string): Promise<void> {
  const { default: open } = await import('open');
  await open(url);
}

/** Splits text into words with shell quoting, without running a shell. `%s` stands for the URL. */
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
