/** The commit that a checkout is at, read without git. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The full SHA of the checkout that a folder is in; undefined where only git can say: no checkout, no
 * commit yet, or a branch that stands neither in a file of its own nor among the packed ones.
 */
export function readHead(folder: string): string | undefined {
  const place = gitFolder(folder);
  const head = place && read(join(place, 'HEAD'));
  if (place === undefined || head === undefined) return undefined;
  const [, ref] = /^ref: (refs\/.+)$/.exec(head) ?? [];
  if (ref === undefined) return shaIn(head);
  // A worktree has its HEAD alone; the branches are those of the repository.
  const common = resolve(place, read(join(place, 'commondir')) ?? '.');
  return shaIn(read(join(common, ref))) ?? packed(common, ref);
}

function gitFolder(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, '.git');
    if (read(join(found, 'HEAD')) !== undefined) return found;
    const [, elsewhere] = /^gitdir: (.+)$/.exec(read(found) ?? '') ?? [];
    if (elsewhere !== undefined) return resolve(at, elsewhere);
    if (at === dirname(at)) return undefined;
  }
}

const packed = (common: string, ref: string): string | undefined =>
  read(join(common, 'packed-refs'))
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.slice(0, -ref.length - 1);

const shaIn = (text: string | undefined): string | undefined =>
  text !== undefined && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : undefined;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
