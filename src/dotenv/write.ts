import { quote } from './quote.ts';
import { notAName, notForShells, usable, type Usable } from './usable.ts';

export interface Written {
  /** One assignment a variable, each ended by a newline. */
  readonly text: string;
  readonly leftOut: Usable['leftOut'];
}

interface Options {
  /** With `export ` before each. */
  readonly exported?: boolean;
  /** Those too that a shell treats specially. */
  readonly allNames?: boolean;
}

/**
 * Variables as `NAME=value` lines. Sourced by a POSIX shell they give every value back and run
 * nothing, unless `allNames`.
 */
export function writeDotenv(
  env: Readonly<Record<string, unknown>>,
  { exported = false, allNames = false }: Options = {},
): Written {
  const { variables, leftOut } = usable(env, allNames ? notAName : notForShells);
  const prefix = exported ? 'export ' : '';
  const lines = Object.entries(variables).map(
    ([name, value]) => `${prefix}${name}=${quote(value)}\n`,
  );
  return { text: lines.join(''), leftOut };
}
