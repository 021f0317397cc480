import { readHeader } from './sections.ts';
import type { Stage } from './stage.ts';
import { mapLines } from './text.ts';

/** Passes the sections whose name is wanted, header lines included. */
export function onlyGroups(isWanted: (name: string) => boolean): Stage {
  let wanted = false;
  const pass = (line: string): string => {
    const header = readHeader(line);
    if (header) wanted = isWanted(header.name);
    return wanted ? line : '';
  };
  return { push: (lines) => mapLines(lines, pass), end: () => '' };
}
