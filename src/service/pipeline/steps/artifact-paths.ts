import { isNull, text, type Reading } from '../reading.ts';
import type { Entry, Value } from '../value.ts';

/** `artifact_paths`: globs, joined by `;`; null where there are none. */
export function readArtifactPaths(reading: Reading, entry: Entry | undefined): string | null {
  if (entry === undefined) return null;
  const values: readonly Value[] = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  const paths = values.flatMap((value) =>
    isNull(value) ? [] : text(reading, value, '`artifact_paths`').split(';'),
  );
  return (
    paths
      .map((path) => path.trim())
      .filter((path) => path !== '')
      .join(';') || null
  );
}
