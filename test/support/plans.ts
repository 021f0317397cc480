/** Plans as they would be read from a pipeline file. */
import {
  plainCommand,
  plainStep,
  type BlockStep,
  type CommandStep,
  type Plan,
  type Step,
  type TriggerStep,
} from '../../src/service/pipeline/plan.ts';

type Unnumbered<S extends Step> = S extends Step ? Omit<S, 'line' | 'definition'> : never;

export const command = (
  text: string,
  members: Partial<CommandStep> = {},
): Unnumbered<CommandStep> => ({ ...plainCommand, command: text, ...members });

export const trigger = (
  pipeline: string,
  members: Partial<TriggerStep> = {},
): Unnumbered<TriggerStep> => ({
  ...{ ...plainStep, type: 'trigger', pipeline, async: false, softFail: false },
  build: { commit: null, branch: null, message: null, env: {}, metaData: {} },
  ...members,
});

export const wait = { ...plainStep, type: 'wait', continueOnFailure: false } as const;

export const block: Unnumbered<BlockStep> = {
  ...plainStep,
  type: 'block',
  prompt: null,
  fields: [],
  blockedState: 'passed',
};

/** Each step has its own definition and line. */
export const planOf = (...steps: Unnumbered<Step>[]): Plan => ({
  env: {},
  steps: steps.map((step, index) => ({ ...step, definition: index, line: index + 1 })),
  notices: [],
});
