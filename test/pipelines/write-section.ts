import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Section } from './case-file.ts';

/** Makes files that start with `#!` executable. */
export function writeSection(folder: string, { path, text }: Pick<Section, 'path' | 'text'>): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (text.startsWith('#!')) chmodSync(file, 0o755);
}
