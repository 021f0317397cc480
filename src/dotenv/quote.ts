/** Values as a POSIX shell reads them back, byte for byte, with nothing run. */

/** A value for the right side of `NAME=`: bare, in single quotes, or escaped in double quotes. */
export function quote(value: string): string {
  if (/^[A-Za-z0-9_@%+:,./-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replace(/[\\"$`]/g, '\\$&')}"`;
}

/** Bash holds these read-only: assigning one ends a sourced script. */
const readOnly = new Set(['UID', 'EUID', 'PPID', 'SHELLOPTS', 'BASHOPTS', 'BASH_VERSINFO']);

/** Whether a shell may be given this name: `a[$(id)]=1` would run a command. */
export const isAssignable = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !readOnly.has(name);
