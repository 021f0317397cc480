import { join } from 'node:path';
import { createRepository } from '../support/git-repository.ts';
import type { Section } from './case-file.ts';
import { writeSection } from './write-section.ts';

/** Handles `plugin HOST/PATH#TAG: FILE`; a later tag also has the files of earlier ones. */
export function makePlugins(root: string, sections: readonly Section[]): void {
  for (const place of new Set(sections.map((section) => section.place))) {
    const [, path, tag] = /^plugin (\S+)#(\S+)$/.exec(place) ?? [];
    if (path === undefined || tag === undefined) continue;
    const { commit, git, folder } = createRepository(join(root, 'git', path));
    for (const section of sections) if (section.place === place) writeSection(folder, section);
    commit({});
    git('tag', tag);
  }
}
