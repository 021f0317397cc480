import type { Handler } from '../../command/command.ts';
import type { completion } from './completion.ts';
import { scripts } from './scripts.ts';
import type { Shell } from './shells.ts';

/** `cictl completion SHELL`. */
export const run: Handler<typeof completion> = ({ shell }, { out }) =>
  out.write(scripts[shell as Shell]);
