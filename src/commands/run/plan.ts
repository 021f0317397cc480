/** The pipeline file before anything runs: checked, or shown by `--plan`. */
import { integer, resource, text } from '../../api/resources/resource.ts';
import type { Context } from '../../context.ts';
import { loadPipeline } from '../../local/pipeline/load.ts';
import type { Plan } from '../../local/pipeline/plan.ts';
import type { PipelineFile } from './file.ts';

/** The plan of a file. Code 2, with all problems by line and column, for one that is refused. */
export const checkPipeline = (
  { name, text }: PipelineFile,
  env: Readonly<Record<string, string>>,
): Plan => loadPipeline(text, { file: name, env });

/** What `--plan` tells of a step. */
export const stepResource = resource({
  name: 'step',
  plural: 'steps',
  members: { line: integer(), type: text(), key: text(), label: text(), command: text() },
  columns: [
    { path: 'line', heading: 'LINE' },
    { path: 'type', heading: 'TYPE' },
    { path: 'key', heading: 'KEY' },
    { path: 'label', heading: 'LABEL' },
    { path: 'command', heading: 'COMMAND' },
  ],
});

/** The steps in order, without running any. */
export const printPlan = ({ steps }: Plan, { out }: Context): Promise<void> =>
  out.list(stepResource, steps);
