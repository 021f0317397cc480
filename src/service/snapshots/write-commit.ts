/** The one commit of a snapshot, and what leads git to it; the tree is there already. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { CodeOfBuild } from './snapshots.ts';

export interface CommitOrder {
  readonly build: CodeOfBuild;
  readonly tree: string;
  readonly branch: string;
  /** `sha1` or `sha256`. */
  readonly format: string;
}

/**
 * Writes what git would, at the price of no process: a commit without parents, whose author is that
 * of the build, a branch, and the lists that a server of plain files needs. Resolves to the SHA.
 */
export async function writeCommit(gitDir: string, order: CommitOrder): Promise<string> {
  const { branch, format } = order;
  const text = Buffer.from(commitText(order));
  const object = Buffer.concat([Buffer.from(`commit ${text.length}\0`), text]);
  const sha = createHash(format).update(object).digest('hex');
  const folder = join(gitDir, 'objects', sha.slice(0, 2));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, sha.slice(2)), await promisify(deflate)(object), { mode: 0o400 });
  const packs = await readdir(join(gitDir, 'objects/pack'));
  const lists = {
    'packed-refs': `${sha} refs/heads/${branch}\n`,
    'info/refs': `${sha}\trefs/heads/${branch}\n`,
    'objects/info/packs': `${packs.filter(isPack).map(packLine).join('')}\n`,
  };
  for (const [name, content] of Object.entries(lists))
    await writeFile(join(gitDir, name), content, { mode: 0o600 });
  return sha;
}

const isPack = (name: string): boolean => name.endsWith('.pack');
const packLine = (name: string): string => `P ${name}\n`;

function commitText({ build, tree }: CommitOrder): string {
  const { author, createdAt, message } = build;
  const at = `${Math.floor(createdAt / 1000)} +0000`;
  const who = `${plainName(author?.name) || 'cictl'} <${plainName(author?.email)}> ${at}`;
  const lines = [`tree ${tree}`, `author ${who}`, `committer cictl <cictl@localhost> ${at}`];
  return `${lines.join('\n')}\n\n${message.replaceAll('\0', '').trimEnd()}\n`;
}

/** What would end a name there, or that git cuts off. */
const plainName = (text = ''): string =>
  text.replace(/[<>\x00-\x1f]/g, '').replace(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '');
