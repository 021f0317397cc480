/**
 * The directories of a case: checkout, plugin repositories, other pipelines, programs on the PATH.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRepository } from '../support/git-repository.ts';
import type { Home } from '../support/home.ts';
import type { Case, Section } from './case-file.ts';
import { makePlugins } from './make-plugins.ts';
import { writeSection } from './write-section.ts';

export interface Scene {
  /** The checkout, on the branch of the case. */
  readonly checkout: string;
  readonly env: Readonly<Record<string, string>>;
  /** Directories of other pipelines, by slug. */
  readonly pipelines: ReadonlyMap<string, string>;
}

export function setUp(home: Home, { expected, sections }: Case): Scene {
  const of = (place: string): Section[] => sections.filter((section) => section.place === place);
  writeFileSync(join(home.env['HOME'] ?? '', '.gitconfig'), gitConfig(home.root));
  makePlugins(home.root, sections);
  for (const section of of('beside')) writeSection(home.cwd, section);
  const bin = join(home.root, 'bin');
  for (const section of of('bin')) writeSection(bin, section);
  const checkout = join(home.cwd, 'demo');
  makeCheckout(checkout, of(''), of('change'), expected.branch);
  return {
    checkout,
    env: { ...home.env, PATH: `${bin}:${home.env['PATH'] ?? ''}`, ...expected.env },
    pipelines: makePipelines(home.cwd, sections),
  };
}

/** Makes git find each repository in a directory, whatever URL a pipeline uses. */
const gitConfig = (root: string): string =>
  `[user]\n\tname = Ada Example\n\temail = ada@example.com\n[protocol "file"]\n\tallow = always\n` +
  [
    ['github.com', 'https://github.com/'],
    ['git.example.com', 'ssh://git@git.example.com/'],
    ['git.example.com', 'git@git.example.com:'],
  ]
    .map(([host, address]) => `[url "file://${root}/git/${host}/"]\n\tinsteadOf = ${address}\n`)
    .join('');

function makeCheckout(
  folder: string,
  files: readonly Section[],
  changes: readonly Section[],
  branch = 'main',
): void {
  const { commit, git } = createRepository(folder);
  for (const section of files) writeSection(folder, section);
  commit({});
  if (branch !== 'main') git('checkout', '--quiet', '-b', branch);
  if (changes.length === 0) return;
  for (const section of changes) writeSection(folder, section);
  commit({});
}

function makePipelines(cwd: string, sections: readonly Section[]): Map<string, string> {
  const folders = new Map<string, string>();
  for (const { place, ...section } of sections) {
    const [, slug] = /^pipeline (\S+)$/.exec(place) ?? [];
    if (slug === undefined) continue;
    folders.set(slug, join(cwd, slug));
    writeSection(join(cwd, slug), section);
  }
  return folders;
}
