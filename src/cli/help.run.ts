import type { Handler } from '../command/command.ts';
import { helpText } from './help.ts';
import type { helpCommand } from './help.command.ts';

/** `cictl help [TOPIC|COMMAND]`. */
export const printHelp: Handler<typeof helpCommand> = async ({ topic }, { out }) =>
  out.write(await helpText(topic, { bold: out.color.bold, width: Math.min(80, out.width) }));
