import { annotateCommands } from './annotate.ts';
import { artifactCommands } from './artifact.ts';
import type { Command } from './command.ts';
import { environmentCommands } from './environment.ts';
import { lockCommands } from './lock.ts';
import { metaDataCommands } from './meta-data.ts';
import { pipelineCommands } from './pipeline.ts';
import { secretCommands } from './secrets.ts';
import { stepCommands } from './step.ts';

export const allCommands: readonly Command[] = [
  ...annotateCommands,
  ...artifactCommands,
  ...metaDataCommands,
  ...pipelineCommands,
  ...stepCommands,
  ...environmentCommands,
  ...secretCommands,
  ...lockCommands,
];
