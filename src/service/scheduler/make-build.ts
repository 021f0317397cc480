/** Makes a build of a pipeline: its number, its steps, and what becomes of older builds. */
import type { LocalClock } from '../clock.ts';
import { branchMatches } from '../domain/branches.ts';
import { cancelBuild, skipBuild } from '../domain/cancel.ts';
import { createBuild } from '../domain/create.ts';
import type {
  Author,
  Build,
  Organization,
  Pipeline,
  PullRequest,
  TriggeredFrom,
  Tree,
  Workspace,
} from '../domain/records.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Plan } from '../pipeline/plan.ts';
import { usualRunOptions, type RunOptions } from '../run-options.ts';
import type { Store } from '../store/store.ts';
import type { Urls } from '../urls.ts';
import type { Engine } from './engine.ts';
import { factsOf, variablesOf } from './environment.ts';
import type { PlanReader } from './read-plan.ts';

/** What the creator of a build asks for. */
export interface NewBuild {
  readonly commit: string;
  readonly branch: string;
  readonly message: string;
  readonly author: Author | null;
  readonly env: Readonly<Record<string, string>>;
  readonly metaData: Readonly<Record<string, string>>;
  readonly cleanCheckout: boolean;
  readonly ignoreBranchFilters: boolean;
  readonly pullRequest: PullRequest | null;
}

export interface BuildOrder extends NewBuild {
  readonly creatorId: string | null;
  readonly source?: Build['source'];
  readonly rebuiltFrom?: Build['rebuiltFrom'];
  readonly workspace?: Workspace;
  readonly hostEnv?: Readonly<Record<string, string>>;
  readonly options?: RunOptions;
  readonly triggeredFrom?: TriggeredFrom | null;
  /** Steps in location of those of the pipeline's file. */
  readonly plan?: Plan | undefined;
}

/** What builds are made with. */
export interface BuildParts {
  readonly store: Store;
  readonly engine: Pick<Engine, 'add' | 'change'>;
  readonly urls: Urls;
  readonly clock: LocalClock;
  readonly newId: () => string;
}

interface BuildTarget {
  readonly organization: Organization;
  readonly pipeline: Pipeline;
}

/**
 * Reads the pipeline's file, makes the build and hands it to the engine. Throws `Refusal` where its
 * branch is filtered out or the file is refused; then there is no build and no number is used up.
 */
export async function makeBuild(
  service: BuildParts,
  location: BuildTarget,
  order: BuildOrder,
): Promise<Build> {
  const { pipeline } = location;
  if (!order.ignoreBranchFilters && !branchMatches(pipeline.branchConfiguration, order.branch))
    throw new Refusal('invalid', 'Branches have been disabled for this pipeline');
  const { readPlan } = await import('./read-plan.ts');
  const tree = service.store.transaction(() => {
    const made = makeTree(service, location, order, readPlan);
    service.engine.add(made);
    return made;
  });
  supersedeOlderBuilds(service, pipeline, tree.build);
  return tree.build;
}

function makeTree(
  { store, urls, clock, newId }: BuildParts,
  { organization, pipeline }: BuildTarget,
  order: BuildOrder,
  readPlan: PlanReader,
): Tree {
  const { plan, ...wanted } = order;
  const creator = order.creatorId === null ? undefined : store.accounts.user(order.creatorId);
  const build = {
    source: 'api' as const,
    rebuiltFrom: null,
    workspace: 'inplace' as const,
    hostEnv: {},
    options: usualRunOptions,
    triggeredFrom: null,
    ...wanted,
    id: newId(),
    organizationId: organization.id,
    pipelineId: pipeline.id,
    number: store.pipelines.nextNumber(pipeline.id),
    author: order.author ?? (creator ? { name: creator.name, email: creator.email } : null),
    ownPlan: plan !== undefined,
  };
  const facts = factsOf(urls, organization, pipeline, build, creator);
  const steps = plan ?? readPlan(pipeline, variablesOf(facts, build.env));
  return createBuild(build, steps, clock.now(), newId);
}

/** Older builds of the branch give way where the pipeline says so (specification, "Pipeline"). */
function supersedeOlderBuilds(service: BuildParts, pipeline: Pipeline, build: Build): void {
  const { engine, clock, store } = service;
  const older = (states: readonly string[]): Build[] =>
    store.builds
      .list({ pipelineId: pipeline.id, branches: [build.branch], states }, { offset: 0, limit: -1 })
      .filter(({ number }) => number < build.number);
  const reason = `Build ${build.number} of the same branch came after it`;
  const { skipQueuedBranchBuildsFilter: skip, cancelRunningBranchBuildsFilter: cancel } = pipeline;
  if (pipeline.skipQueuedBranchBuilds && branchMatches(skip, build.branch))
    for (const { id } of older(['scheduled']))
      engine.change(id, (tree) => skipBuild(tree, reason, clock.now()));
  if (pipeline.cancelRunningBranchBuilds && branchMatches(cancel, build.branch))
    for (const { id } of older(['running', 'failing']))
      engine.change(id, (tree) => cancelBuild(tree, reason, clock.now()));
}
