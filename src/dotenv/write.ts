import { quoteForShell } from './quote.ts';
import { notAName, notForShells, usable, type Usable } from './usable.ts';

export interface DotenvText {
  /** One assignment a variable, each ended by a newline. */
  readonly text: string;
  readonly omitted: Usable['omitted'];
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
): DotenvText {
  const { variables, omitted } = usable(env, allNames ? notAName : notForShells);
  const prefix = exported ? 'export ' : '';
  const lines = Object.entries(variables).map(
    ([name, value]) => `${prefix}${name}=${quoteForShell(value)}\n`,
  );
  return { text: lines.join(''), omitted };
}
