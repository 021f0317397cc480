/** How a log ends that has reached its limit, whoever writes it. */

/** The last line. */
export const limitLine = (maxSize: number): string =>
  `cictl: the log reached its limit of ${sizeText(maxSize)}; the rest of the output was dropped\n`;

/** Ends a line that was truncated, and an escape sequence in it, which would hide the next line. */
export const lineEnd = '\x1b\\\n';

/** In the largest unit that gives a whole number: `1 GiB`, `10 MB`, `1500 bytes`. */
function sizeText(bytes: number): string {
  for (const [unit, size] of units) if (bytes % size === 0) return `${bytes / size} ${unit}`;
  return `${bytes} bytes`;
}

const units = [
  ...(['GiB', 'MiB', 'KiB'] as const).map((unit, index) => [unit, 1024 ** (3 - index)] as const),
  ...(['GB', 'MB', 'kB'] as const).map((unit, index) => [unit, 1000 ** (3 - index)] as const),
];
