/** The environment of a job, from the records: what GET env shows and what the job gets. */
import type { Job, Organization, Pipeline, Tree, User } from '../domain/records.ts';
import {
  buildVariables,
  jobEnvironment,
  standardVariables,
  type BuildFacts,
} from '../pipeline/environment.ts';
import type { Store } from '../store/store.ts';
import type { Urls } from '../urls.ts';
import { tagVariables } from './tag-variables.ts';
import { checkoutPath } from './workspace.ts';

export interface EnvironmentSources {
  readonly store: Store;
  readonly urls: Urls;
  readonly workspaces: string;
  /** Of the slots: `queue=gpu`, `os=linux`; default `queue=default` alone. */
  readonly tags?: readonly string[] | undefined;
}

type FactsOfBuild = Pick<
  Tree['build'],
  | 'id'
  | 'number'
  | 'branch'
  | 'commit'
  | 'message'
  | 'env'
  | 'source'
  | 'author'
  | 'rebuiltFrom'
  | 'triggeredFrom'
  | 'pullRequest'
  | 'cleanCheckout'
>;

/** What is known of a build before it has jobs. */
export const factsOf = (
  urls: Urls,
  organization: Organization,
  pipeline: Pipeline,
  build: FactsOfBuild,
  creator: User | undefined,
): BuildFacts => ({
  organization: organization.slug,
  organizationId: organization.id,
  pipeline: { ...pipeline, provider: 'local' },
  build: {
    ...build,
    tag: build.env['BUILDKITE_TAG'],
    url: urls.webBuild(organization.slug, pipeline.slug, build.number),
    creator: creator ?? null,
  },
});

/** What a pipeline file may use while it is read. */
export const variablesOf = (
  facts: BuildFacts,
  env: Readonly<Record<string, string>>,
): Record<string, string> => ({ ...env, ...buildVariables(facts) });

/** Everything that GET env shows of a job: pipeline < build < step < standard. */
export function environmentOf(
  sources: EnvironmentSources,
  tree: Pick<Tree, 'build' | 'plan'>,
  job: Job,
): Record<string, string> {
  const { build, plan } = tree;
  const step = plan.steps[job.step];
  const command = step?.type === 'command' ? step : undefined;
  const facts = factsFromStore(sources, tree);
  const { pipeline } = facts;
  const standard = standardVariables({
    ...facts.facts,
    job: {
      id: job.id,
      stepId: job.stepId,
      stepKey: step?.key ?? null,
      label: step?.label ?? null,
      command: command?.command ?? '',
      plugins: command?.plugins ?? [],
      skipCheckout: command?.skipCheckout ?? false,
      timeoutInMinutes: command?.timeoutInMinutes ?? null,
      artifactPaths: command?.artifactPaths ?? null,
      parallelGroupIndex: command?.parallel?.index ?? null,
      parallelGroupTotal: command?.parallel?.total ?? null,
      group: step?.group ?? null,
      retriesCount: job.retriesCount,
      retryType: job.retrySource?.type ?? null,
    },
    agent: { id: job.agent?.id ?? '', name: job.agent?.name ?? '', queue: 'default' },
    checkoutPath: checkoutPath(sources.workspaces, pipeline.folder, build, job.id),
  });
  return jobEnvironment({
    pipeline: plan.env,
    build: build.env,
    step: command?.env ?? {},
    standard: { ...standard, ...tagVariables(sources.tags ?? []) },
  });
}

/** What is known of a build that is there. */
export function factsFromStore(
  { store, urls }: Pick<EnvironmentSources, 'store' | 'urls'>,
  { build }: Pick<Tree, 'build'>,
) {
  const organization = store.accounts.organizationById(build.organizationId);
  const pipeline = store.pipelines.byId(build.pipelineId);
  if (organization === undefined || pipeline === undefined)
    throw new Error(`build ${build.id} has lost its pipeline`);
  const creator = build.creatorId === null ? undefined : store.accounts.user(build.creatorId);
  return { pipeline, facts: factsOf(urls, organization, pipeline, build, creator) };
}
