/** Which pipeline a trigger step means, and whether it may. */
import type { Build, Pipeline } from '../domain/records.ts';
import { Refusal } from '../domain/refusal.ts';
import { rulesPermit } from '../domain/rules.ts';
import type { TriggerStep } from '../pipeline/plan.ts';
import type { EngineParts } from './engine-state.ts';
import type { BuildTarget } from './make-build.ts';

/** How many builds may follow from one another. */
const maxDepth = 10;

/** Throws `Refusal` where it is not here, restricted, or the end of a long chain of triggers. */
export function targetOf(
  { store }: Pick<EngineParts, 'store'>,
  build: Build,
  { pipeline: slug }: TriggerStep,
): BuildTarget {
  const organization = store.accounts.organizationById(build.organizationId);
  const source = store.pipelines.byId(build.pipelineId);
  if (organization === undefined || source === undefined)
    throw new Refusal('invalid', 'its own pipeline is gone');
  const pipeline = store.pipelines.find(organization.id, slug);
  if (pipeline === undefined) throw new Refusal('invalid', `there is no pipeline ${slug} here`);
  if (depthOf(store, build) >= maxDepth)
    throw new Refusal(
      'invalid',
      `this build is the last of ${maxDepth} that have triggered one another`,
    );
  const rules = store.rules.list(organization.id);
  if (!rulesPermit(rules, 'pipeline.trigger_build.pipeline', source, pipeline))
    throw new Refusal('invalid', `${slug} is restricted; ${permitLine(store, source, pipeline)}`);
  return { organization, pipeline };
}

function depthOf(store: EngineParts['store'], build: Build): number {
  let depth = 1;
  let from = build.triggeredFrom;
  while (from !== null && depth < maxDepth) {
    depth++;
    from = store.builds.byId(from.buildId)?.triggeredFrom ?? null;
  }
  return depth;
}

const permitLine = (store: EngineParts['store'], source: Pipeline, target: Pipeline): string =>
  `a rule permits it: cictl rules create --type pipeline.trigger_build.pipeline --source ${nameOf(store, source)} --target ${nameOf(store, target)}`;

/** A slug is looked up through a build: a pipeline without one goes by its id. */
const nameOf = (store: EngineParts['store'], { id, slug }: Pipeline): string =>
  store.pipelines.lastNumber(id) > 0 ? slug : id;
