/** The pipeline file before anything runs: checked, or shown by `--plan`. */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import { buildVariables, type BuildFacts } from '../../service/pipeline/environment.ts';
import { loadPipeline } from '../../service/pipeline/load.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import type { NewRun } from './create.ts';
import { planRows } from './plan-rows.ts';
import { stepResource } from './step.ts';

/** The plan of a file. Code 2, with all problems by line and column, for one that is refused. */
export function checkPipeline({ file, build }: NewRun): Plan {
  const facts = plannedFacts({ file, build });
  const env = { ...build.env, ...buildVariables(facts) };
  return loadPipeline(file.text, { file: file.name, env, facts });
}

/** The jobs in order, without running any; or their graph, as the text of a Mermaid flowchart. */
export async function printPlan(
  plan: Plan,
  { out }: Context,
  { graph = false } = {},
): Promise<void> {
  if (!graph) return out.list(stepResource, planRows(plan));
  const { planGraph } = await import('./plan-graph.ts');
  for (const line of planGraph(plan).trimEnd().split('\n')) await out.line(line);
}

/** The build while there is none: its number, id and address are not known. */
function plannedFacts({ file, build }: NewRun): BuildFacts {
  const slug = basename(file.folder);
  const unknown = { id: '', repository: '' };
  return {
    organization: 'local',
    pipeline: { ...unknown, slug, name: slug, defaultBranch: 'main', provider: 'local' },
    build: { ...unknown, ...build, number: 0, url: '', source: 'api' },
  };
}
