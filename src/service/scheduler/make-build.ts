/** Makes a build of a pipeline: its number, its steps, and what becomes of older builds. */
import { branchMatches } from '../pipeline/branches.ts';
import type { Clock } from '../../common/clock.ts';
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
import type { Urls } from '../urls.ts';
import { isOfCommit } from '../snapshots/find-code.ts';
import { findCommit, readCommittedFile } from './checkout.ts';
import type { EngineState } from './engine-state.ts';
import { factsOf } from './environment.ts';
import { knownSecrets } from './known-secrets.ts';
import type { Only } from './choose-steps.ts';
import type { PipelineFile } from './pipeline-file.ts';

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
  /** `cictl run` asks for it: it runs the directory. Other builds run their commit, if there is one. */
  readonly isRun?: boolean;
  readonly workspace?: Workspace;
  readonly hostEnv?: Readonly<Record<string, string>>;
  readonly options?: RunOptions;
  readonly triggeredFrom?: TriggeredFrom | null;
  /** Steps in place of those of the pipeline's file. */
  readonly plan?: Plan | undefined;
  /** A pipeline in place of that file. */
  readonly text?: PipelineFile | undefined;
  /** The pipeline's file as the commit has it. */
  readonly committed?: PipelineFile | undefined;
  /** Runs these steps alone. */
  readonly only?: Only | undefined;
  /** Throws if the steps cannot run as they are asked for. */
  readonly check?: (plan: Plan) => Promise<void>;
  /** See `PlanReading`. */
  readonly isKnownHere?: boolean | undefined;
}

/** What builds are made with. */
export interface BuildParts {
  readonly store: Store;
  readonly engine: Pick<EngineState, 'add' | 'change' | 'inTurn'>;
  readonly urls: Urls;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  /** What jobs get of the variables of this machine. */
  readonly host: Readonly<Record<string, string>>;
}

export interface BuildTarget {
  readonly organization: Organization;
  readonly pipeline: Pipeline;
}

/**
 * Reads the pipeline's file, makes the build and hands it to the engine. Throws `Refusal` where its
 * branch is filtered out or the file is refused; then there is no build and no number is used up.
 * `onMade` is called in the transaction that writes the build.
 */
export async function makeBuild(
  service: BuildParts,
  location: BuildTarget,
  order: BuildOrder,
  onMade: OnMade = () => undefined,
): Promise<Build> {
  const { pipeline } = location;
  if (!order.ignoreBranchFilters && !branchMatches(pipeline.branchConfiguration, order.branch))
    throw new Refusal('invalid', 'Branches have been disabled for this pipeline');
  const { isRun = false, ...asked } = order;
  const wanted = isRun ? asked : await withCode(pipeline, asked);
  // The file may name the number, which is not taken before the file is read.
  const made = await service.engine.inTurn(pipeline.id, () =>
    addBuild(service, location, wanted, onMade),
  );
  supersedeOlderBuilds(service, pipeline, made);
  return made;
}

/** In a checkout, files and steps are those of the commit. */
async function withCode({ folder, file }: Pipeline, order: BuildOrder): Promise<BuildOrder> {
  const commit = await findCommit(folder, order);
  if (commit === undefined) return order;
  const committed = await readCommittedFile({ folder, file }, commit);
  return { ...order, commit, workspace: 'worktree', committed };
}

type OnMade = (build: Build) => void;

async function addBuild(
  service: BuildParts,
  location: BuildTarget,
  order: BuildOrder,
  onMade: OnMade,
): Promise<Build> {
  const { store, engine, clock, newId } = service;
  const { isKnownHere, committed, check, ...wanted } = order;
  const record = recordOf(service, location, wanted);
  const plan = await stepsOf(service, location, record, { ...wanted, isKnownHere, committed });
  await check?.(plan);
  return store.transaction(() => {
    if (store.pipelines.byId(location.pipeline.id) === undefined)
      throw new Refusal('invalid', 'The pipeline was removed while its file was read');
    const number = store.pipelines.nextNumber(location.pipeline.id);
    const { build } = engine.add(createBuild({ ...record, number }, plan, clock.now(), newId));
    onMade(build);
    return build;
  });
}

type Passing = 'isKnownHere' | 'committed' | 'check' | 'isRun';

function recordOf(
  { store, newId }: BuildParts,
  { organization, pipeline }: BuildTarget,
  { plan, text, only, ...wanted }: Omit<BuildOrder, Passing>,
): BuildRecord {
  const creator = creatorOf(store, wanted.creatorId);
  return {
    source: 'api',
    rebuiltFrom: null,
    workspace: 'inplace',
    hostEnv: {},
    options: usualRunOptions,
    triggeredFrom: null,
    ...wanted,
    id: newId(),
    organizationId: organization.id,
    pipelineId: pipeline.id,
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
      host: { ...host, ...record.hostEnv, ...folderOf(pipeline, record) },
    }));
  const slugs = store.pipelines.list(organization.id).map(({ slug }) => slug);
  const options = { ...record.options, secrets: knownSecrets(store, record) };
  return chooseSteps(plan, options, slugs, order.only);
}

/** Jobs with a folder of their own are not there yet. */
const folderOf = (
  { folder }: Pipeline,
  { workspace, cleanCheckout }: BuildRecord,
): Record<string, string> =>
  workspace === 'inplace' && !cleanCheckout ? folderVariables(folder) : {};

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

/**
 * A new build with the commit, branch, message, environment, meta-data and pull request of another
 * one. It runs that commit, even if `cictl run` ran the other one in place. Throws `Refusal` as
 * `makeBuild` does.
 */
export const rebuild = (
  service: BuildParts,
  location: { readonly organization: Organization; readonly pipeline: Pipeline },
  build: Build,
  creatorId: string | undefined,
): Promise<Build> =>
  makeBuild(service, location, {
    commit: build.commit,
    branch: build.branch,
    message: build.message,
    author: build.author,
    env: build.env,
    metaData: build.metaData,
    cleanCheckout: build.cleanCheckout,
    ignoreBranchFilters: build.ignoreBranchFilters,
    pullRequest: build.pullRequest,
    workspace: build.workspace,
    hostEnv: build.hostEnv,
    options: build.options,
    plan: build.ownPlan ? service.store.builds.firstPlan(build.id) : undefined,
    rebuiltFrom: { id: build.id, number: build.number },
    creatorId: creatorId ?? null,
  });
