/** The pipeline file before anything runs: checked, or shown by `--plan`. */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import { buildVariables } from '../../service/pipeline/environment.ts';
import { loadPipeline } from '../../service/pipeline/load.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import type { NewRun } from './create.ts';
import { stepResource } from './step.ts';

/** The plan of a file. Code 2, with all problems by line and column, for one that is refused. */
export const checkPipeline = ({ file, build }: NewRun): Plan =>
  loadPipeline(file.text, {
    file: file.name,
    env: { ...build.env, ...plannedVariables({ file, build }) },
  });

/** The steps in order, without running any. */
export const printPlan = ({ steps }: Plan, { out }: Context): Promise<void> =>
  out.list(stepResource, steps);

/** The build's variables while there is no build: its number, id and address are not known. */
function plannedVariables({ file, build }: NewRun): Record<string, string> {
  const slug = basename(file.folder);
  const unknown = { id: '', repository: '' };
  return buildVariables({
    organization: 'local',
    pipeline: { ...unknown, slug, name: slug, defaultBranch: 'main', provider: 'local' },
    build: { ...unknown, ...build, number: 0, url: '', source: 'api' },
  });
}
