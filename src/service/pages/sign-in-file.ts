import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeHtml } from '../../log/html/markup.ts';
import { startTimer } from '../../common/clock.ts';
import { codeLife } from './sessions.ts';

export interface SignInFile {
  readonly path: string;
  remove(): void;
}

/**
 * Writes a file that redirects a browser to a URL, so that the code in the URL is on no command line. It is removed
 * when the code expires; if the service stopped before that, by the next call. If the directory is read-only, the
 * file is in the temporary directory, which browsers in a sandbox cannot read.
 */
export function writeSignInFile(directory: string, url: string, now: number): SignInFile {
  removeExpired(directory, now);
  const path = writeIn([directory, tmpdir()], `${prefix}${randomUUID()}.html`, redirectTo(url));
  const remove = (): void => {
    timer.stop();
    rmSync(path, { force: true });
  };
  const timer = startTimer(codeLife, remove, { keepsProcess: false });
  return { path, remove };
}

const prefix = 'cictl-sign-in-';

function removeExpired(directory: string, now: number): void {
  try {
    for (const name of readdirSync(directory).filter((one) => one.startsWith(prefix))) {
      const path = join(directory, name);
      if (statSync(path).mtimeMs < now - codeLife) rmSync(path, { force: true });
    }
  } catch {
    // The directory cannot be read, or another call has removed the file.
  }
}

function writeIn([first = '', ...others]: readonly string[], name: string, text: string): string {
  const path = join(first, name);
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return path;
  } catch (error) {
    if (others.length === 0) throw error;
    return writeIn(others, name, text);
  }
}

function redirectTo(url: string): string {
  const href = escapeHtml(url);
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${href}">
<title>cictl</title>
<a href="${href}">Open the page</a>
`;
}
