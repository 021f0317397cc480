import { quote } from './quote.ts';
import { usable, type Usable } from './usable.ts';

export interface Written {
  /** One assignment a variable, each ended by a newline. */
  readonly text: string;
  readonly leftOut: Usable['leftOut'];
}

/**
 * Variables as `NAME=value` lines, with `export ` before each when asked. Sourced by a POSIX shell
 * they give every value back and run nothing.
 */
export function writeDotenv(
  env: Readonly<Record<string, unknown>>,
  { exported = false }: { exported?: boolean } = {},
): Written {
  const { variables, leftOut } = usable(env);
  const prefix = exported ? 'export ' : '';
  const lines = Object.entries(variables).map(
    ([name, value]) => `${prefix}${name}=${quote(value)}\n`,
  );
  return { text: lines.join(''), leftOut };
}
