import { annotateCommands } from './annotate.ts';
import type { Command } from './command.ts';
import { metaDataCommands } from './meta-data.ts';
import { pipelineCommands } from './pipeline.ts';

/** All subcommands, in the order of the help. */
export const allCommands: readonly Command[] = [
  ...annotateCommands,
  ...metaDataCommands,
  ...pipelineCommands,
];
