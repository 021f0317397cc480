import { branchMatches } from '../pipeline/branches.ts';
import {
  cancelBuild,
  skipBuild,
  createBuild,
  type NewBuild as BuildRecord,
} from '../domain/build-lifecycle.ts';
import type {
  Author,
  Build,
  Organization,
  Pipeline,
  PullRequest,
  TriggeredFrom,
  User,
  Workspace,
} from '../domain/records.ts';
import { Refusal } from '../domain/refusal.ts';
import { folderVariables } from '../pipeline/environment.ts';
import type { Plan } from '../pipeline/plan.ts';
import { usualRunOptions, type RunOptions } from '../run-options.ts';
import type { Store } from '../store/store.ts';
import { isOfCommit } from '../snapshots/find-code.ts';
import { findCommit, readCommittedFile } from './checkout.ts';
import type { EngineParts, EngineState } from './engine-state.ts';
import { factsOf } from './environment.ts';
import { knownSecrets } from './known-secrets.ts';
import type { Only } from './choose-steps.ts';
import type { PipelineFile } from './pipeline-file.ts';
import type { PlanReading } from './read-plan.ts';

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
  /** Whether `cictl run` creates the build and runs it in place. Other builds run a commit. */
  readonly isRun?: boolean;
  readonly workspace?: Workspace;
  readonly hostEnv?: Readonly<Record<string, string>>;
  readonly options?: RunOptions;
  readonly triggeredFrom?: TriggeredFrom | null;
  readonly plan?: Plan | undefined;
  readonly text?: PipelineFile | undefined;
  /** The pipeline file in the build's commit. */
  readonly committed?: PipelineFile | undefined;
  readonly only?: Only | undefined;
  /** Throws if the steps cannot run as requested. */
  readonly check?: (plan: Plan) => Promise<void>;
  readonly isKnownHere?: PlanReading['isKnownHere'];
}

export interface BuildParts extends Pick<
  EngineParts,
  'store' | 'urls' | 'clock' | 'newId' | 'host'
> {
  readonly engine: Pick<EngineState, 'add' | 'change' | 'inTurn'>;
}

export interface BuildTarget {
  readonly organization: Organization;
  readonly pipeline: Pipeline;
}

/**
 * Reads the pipeline file, creates a build and adds it to the engine. Calls `onMade` in the
 * transaction that writes the build. Throws `Refusal`, without using up a build number, if the
 * branch is filtered out or the file is invalid.
 */
export async function makeBuild(
  service: BuildParts,
  location: BuildTarget,
  order: BuildOrder,
  onMade: (build: Build) => void = () => undefined,
): Promise<Build> {
  const { pipeline } = location;
  if (!order.ignoreBranchFilters && !branchMatches(pipeline.branchConfiguration, order.branch))
    throw new Refusal('invalid', 'Branches have been disabled for this pipeline');
  const { isRun = false, ...asked } = order;
  const wanted = isRun ? asked : await withCode(pipeline, asked);
  // Builds are created one at a time, because the pipeline file may use the next build number.
  const made = await service.engine.inTurn(pipeline.id, () =>
    addBuild(service, location, wanted, onMade),
  );
  supersedeOlderBuilds(service, pipeline, made);
  return made;
}

/** In a git checkout, all files come from the commit, including the pipeline file. */
async function withCode({ folder, file }: Pipeline, order: BuildOrder): Promise<BuildOrder> {
  const commit = await findCommit(folder, order);
  if (commit === undefined) return order;
  const committed = await readCommittedFile({ folder, file }, commit);
  return { ...order, commit, workspace: 'worktree', committed };
}

async function addBuild(
  service: BuildParts,
  location: BuildTarget,
  order: BuildOrder,
  onMade: (build: Build) => void,
): Promise<Build> {
  const { store, engine, clock, newId } = service;
  const { isKnownHere, committed, check, ...wanted } = order;
  const record = recordOf(service, location, wanted);
  const plan = await stepsOf(service, location, record, { ...wanted, isKnownHere, committed });
  await check?.(plan);
  return store.transaction(() => {
    if (store.pipelines.byId(location.pipeline.id) === undefined)
      throw new Refusal('invalid', 'The pipeline was removed while its file was being read');
    const number = store.pipelines.nextNumber(location.pipeline.id);
    const { build } = engine.add(createBuild({ ...record, number }, plan, clock.now(), newId));
    onMade(build);
    return build;
  });
}

function recordOf(
  { store, newId }: BuildParts,
  { organization, pipeline }: BuildTarget,
  {
    plan,
    text,
    only,
    ...wanted
  }: Omit<BuildOrder, 'isKnownHere' | 'committed' | 'check' | 'isRun'>,
): BuildRecord {
  const creator = creatorOf(store, wanted.creatorId);
  return {
    ...{ source: 'api', rebuiltFrom: null, triggeredFrom: null },
    ...{ workspace: 'inplace', hostEnv: {}, options: usualRunOptions },
    ...wanted,
    ...{ id: newId(), organizationId: organization.id, pipelineId: pipeline.id },
    number: store.pipelines.lastNumber(pipeline.id) + 1,
    author: wanted.author ?? (creator ? { name: creator.name, email: creator.email } : null),
    ownPlan: plan !== undefined || text !== undefined || only !== undefined,
  };
}

const creatorOf = (store: Store, id: string | null): User | undefined =>
  id === null ? undefined : store.accounts.user(id);

async function stepsOf(
  { store, urls, host }: BuildParts,
  { organization, pipeline }: BuildTarget,
  record: BuildRecord,
  order: BuildOrder,
): Promise<Plan> {
  const creator = creatorOf(store, order.creatorId);
  const facts = factsOf(urls, organization, pipeline, record, creator);
  const isInPlace = record.workspace === 'inplace' && !record.cleanCheckout;
  const { chooseSteps } = await import('./choose-steps.ts');
  const { acceptedOf, readPlan } = await import('./read-plan.ts');
  const plan =
    order.plan ??
    (await readPlan(pipeline, order.text ?? order.committed, {
      facts,
      ...acceptedOf(record.options),
      isKnownHere: order.isKnownHere,
      isOfCommit: isOfCommit(record),
      env: record.env,
      // The directory of the jobs is only known if the build runs in place.
      host: { ...host, ...record.hostEnv, ...(isInPlace && folderVariables(pipeline.folder)) },
    }));
  const slugs = store.pipelines.list(organization.id).map(({ slug }) => slug);
  const options = { ...record.options, secrets: knownSecrets(store, record) };
  return chooseSteps(plan, options, slugs, order.only);
}

/** If the pipeline's settings say so, skips or cancels older builds of the branch. */
function supersedeOlderBuilds(service: BuildParts, pipeline: Pipeline, build: Build): void {
  const { engine, clock, store } = service;
  const older = (states: readonly string[]): Build[] =>
    store.builds
      .list({ pipelineId: pipeline.id, branches: [build.branch], states }, { offset: 0, limit: -1 })
      .filter(({ number }) => number < build.number);
  const reason = `Superseded by build ${build.number} on the same branch`;
  const { skipQueuedBranchBuildsFilter: skip, cancelRunningBranchBuildsFilter: cancel } = pipeline;
  if (pipeline.skipQueuedBranchBuilds && branchMatches(skip, build.branch))
    for (const { id } of older(['scheduled']))
      engine.change(id, (tree) => skipBuild(tree, reason, clock.now()));
  if (pipeline.cancelRunningBranchBuilds && branchMatches(cancel, build.branch))
    for (const { id } of older(['running', 'failing']))
      engine.change(id, (tree) => cancelBuild(tree, reason, clock.now()));
}

/** Repeats a build with the same commit, even if the build was started by `cictl run`. */
export function rebuild(
  service: BuildParts,
  location: BuildTarget,
  build: Build,
  creatorId: string | undefined,
): Promise<Build> {
  const { id, number, commit, branch, message, author, env, metaData, pullRequest } = build;
  const { cleanCheckout, ignoreBranchFilters, workspace, hostEnv, options } = build;
  return makeBuild(service, location, {
    ...{ commit, branch, message, author, env, metaData, pullRequest },
    ...{ cleanCheckout, ignoreBranchFilters, workspace, hostEnv, options },
    plan: build.ownPlan ? service.store.builds.firstPlan(id) : undefined,
    rebuiltFrom: { id, number },
    creatorId: creatorId ?? null,
  });
}
