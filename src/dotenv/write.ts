import { isAssignable, quote } from './quote.ts';

export interface Written {
  /** One assignment a variable, each ended by a newline. */
  readonly text: string;
  /** Names that no shell can be given safely. */
  readonly leftOut: readonly string[];
}

/**
 * Variables as `NAME=value` lines, with `export ` before each when asked. Sourced by a POSIX shell
 * they give every value back and run nothing.
 */
export function writeDotenv(
  variables: Readonly<Record<string, string>>,
  { exported = false }: { exported?: boolean } = {},
): Written {
  const entries = Object.entries(variables);
  const lines = entries
    .filter(([name]) => isAssignable(name))
    .map(([name, value]) => `${exported ? 'export ' : ''}${name}=${quote(value)}\n`);
  const leftOut = entries.map(([name]) => name).filter((name) => !isAssignable(name));
  return { text: lines.join(''), leftOut };
}
