/** Values as a POSIX shell reads them back, byte for byte, with nothing run. */

/** A value for the right side of `NAME=`: bare, in single quotes, or escaped in double quotes. */
export function quoteForShell(value: string): string {
  if (/^[A-Za-z0-9_@%+:,./-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replace(/[\\"$`]/g, '\\$&')}"`;
}
