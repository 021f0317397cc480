import { open } from 'node:fs/promises';
import { basename } from 'node:path';

export type HookKind =
  | { readonly isProgram: true }
  | { readonly isProgram: false; readonly shell: string; readonly args: readonly string[] };

/** Those whose hooks are read by the shell that runs, so that what they export can be kept. */
const shells = new Set(['sh', 'bash', 'dash', 'ksh', 'zsh']);
/** How binaries begin: ELF, and Mach-O in its four forms. */
const binaries = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];

/** By its first line; without `#!` it is a script of bash. Throws where it cannot be read. */
export async function hookKind(file: string, bash: string): Promise<HookKind> {
  const head = await readHead(file);
  if (binaries.includes(head.toString('hex', 0, 4))) return { isProgram: true };
  const line = head.toString('utf8').split('\n')[0] ?? '';
  if (!line.startsWith('#!')) return { isProgram: false, shell: bash, args: [] };
  const words = line.slice(2).trim().split(/\s+/);
  const [shell = '', ...args] = isEnv(words[0]) ? words.slice(words[1] === '-S' ? 2 : 1) : words;
  const name = basename(shell);
  if (!shells.has(name)) return { isProgram: true };
  return { isProgram: false, shell: name === 'bash' ? bash : shell, args };
}

const isEnv = (word = ''): boolean => basename(word) === 'env';

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
