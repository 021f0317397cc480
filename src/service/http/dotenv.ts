/**
 * An environment as `KEY=VALUE` lines: bare where no reader could stumble, else in the quotes that
 * most dotenv readers undo. JSON alone loses nothing in all of them.
 */
export const dotenv = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${quote(value)}\n`)
    .join('');

function quote(value: string): string {
  if (/^[\w@%+:,./-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replace(/[\\"$`]/g, '\\$&')}"`;
}
