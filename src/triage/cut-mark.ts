/**
 * What stands in place of lines that are left out: how many, and the command that prints them. Of a
 * log of which the end alone was read, that command begins with them.
 */
export function cutMark(
  count: number,
  { first, last }: { readonly first: number; readonly last: number },
  readOfMore: number | undefined,
  command: string | null,
): string {
  const lines = `${count} ${count === 1 ? 'line' : 'lines'}`;
  if (command === null) return `[truncated: ${lines}]`;
  const which =
    readOfMore === undefined
      ? `--head ${last} --tail ${last - first + 1}`
      : `--tail ${readOfMore - first + 1}`;
  return `[truncated: ${lines}, see ${command} ${which}]`;
}
