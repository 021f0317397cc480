import { createColors } from '../render/colors.ts';
import { wantsColor } from '../terminal/streams.ts';
import type { Env } from '../common/env.ts';
import type { HelpPage } from './help-page.ts';
import type { Flag } from './program.ts';

interface HelpHost {
  readonly env: Env;
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number };
}

/** No line is longer than what can be read, nor than the terminal is wide. */
const readable = 80;

/** How help looks where it is printed: fitted to the terminal, with bold heads where colour is. */
export async function helpLook(
  flags: readonly Pick<Flag, 'key'>[],
  { env, stdout }: HelpHost,
): Promise<HelpPage> {
  const last = flags.findLast(({ key }) => key === 'color' || key === 'noColor')?.key;
  const flag = last === undefined ? undefined : last === 'color';
  const isTerminal = stdout.isTTY === true;
  const { bold } = await createColors(wantsColor(flag, env, isTerminal));
  return { bold, width: isTerminal ? Math.min(readable, stdout.columns || readable) : readable };
}
