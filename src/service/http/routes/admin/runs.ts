import { admin, route, type Route } from '../../route.ts';
import { basename } from 'node:path';
import { pid } from 'node:process';
import { withoutCredentials } from '../../../../common/checkout.ts';
import type { RunRequest } from '../../../admin.ts';
import { defaultBranchOf } from '../../../git.ts';
import type { ServiceContext } from '../../../service-context.ts';
import type { Build, Organization, Pipeline } from '../../../domain/records.ts';
import { slugOf } from '../../../domain/new-pipeline.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Plan } from '../../../pipeline/plan.ts';
import { usualRunOptions } from '../../../run-options.ts';
import { makeBuild } from '../../../scheduler/make-build.ts';
import { refuseSkippedHooks } from '../skipped-hooks.ts';
import { json } from '../../response.ts';
import { readNewBuild } from '../builds.ts';
import { presentBuild } from '../../present/build.ts';
import { addPipeline, findOrganization } from './pipelines.ts';
import { bodyReader } from '../../body-reader.ts';

export const runRoutes: readonly Route[] = [
  route('POST', '/local/v1/runs', admin, async (call, service) => {
    const request = readRun(await call.body());
    const organization = findOrganization(service, request.org ?? 'local');
    const known =
      findPipeline(service, organization, request) ??
      newPipeline(service, organization, request, await defaultBranchOf(request.folder));
    const repository = request.repository && withoutCredentials(request.repository);
    const pipeline = withRepository(service, known, repository);
    const location = { organization, pipeline };
    const build = await makeBuild(service, location, {
      ...readNewBuild(request.build),
      plan: request.plan,
      text: request.text && { path: request.text.name, text: request.text.text },
      only: request.only,
      options: { ...usualRunOptions, ...request.options },
      isRun: true,
      check: (plan) => checkHooks(service, pipeline, request, plan),
      workspace: request.workspace ?? 'inplace',
      hostEnv: request.hostEnv ?? {},
      isKnownHere: request.pid === pid,
      creatorId: service.store.accounts.users()[0]?.id ?? null,
    });
    freezeCode(service, pipeline, build);
    if (request.pid !== undefined) service.attachedRuns.add(request.pid);
    const tree = service.store.builds.tree(build.id);
    const view = { single: true, mayEdit: true, includeRetriedJobs: false };
    return json(tree && presentBuild(service, location, tree, view), 201);
  }),
];

/** Agents on this machine run jobs in place, so they would skip the checkout hooks. */
async function checkHooks(
  service: ServiceContext,
  pipeline: Pipeline,
  { workspace = 'inplace', options = {} }: RunRequest,
  { steps }: Plan,
): Promise<void> {
  if (options.runsOn !== 'agents' || workspace !== 'inplace') return;
  const agents = service.engine.agents.present(pipeline.organizationId);
  if (!agents.some(({ agent }) => agent.isOnThisMachine)) return;
  const build = { options: { ...usualRunOptions, ...options } };
  await refuseSkippedHooks(service, pipeline, build, steps).catch((cause: unknown) => {
    throw new Refusal('invalid', cause instanceof Error ? cause.message : String(cause));
  });
}

/** Jobs on remote agents use a snapshot of the directory, which is taken now. */
function freezeCode({ engine, snapshots }: ServiceContext, { folder }: Pipeline, build: Build) {
  if (build.options.runsOn !== 'agents') return;
  const agents = engine.agents.present(build.organizationId);
  const areHere = agents.length > 0 && agents.every(({ agent }) => agent.isOnThisMachine);
  // If this fails, the first job that needs the snapshot reports the error.
  if (!areHere) snapshots.codeOf(build, folder, true).catch(() => undefined);
}

function findPipeline(
  service: ServiceContext,
  organization: Organization,
  { folder, file, slug }: RunRequest,
): Pipeline | undefined {
  const all = service.store.pipelines.list(organization.id);
  return all.find((one) =>
    slug === undefined ? one.folder === folder && one.file === (file ?? null) : one.slug === slug,
  );
}

function newPipeline(
  service: ServiceContext,
  organization: Organization,
  request: RunRequest,
  defaultBranch: string,
): Pipeline {
  // A simultaneous run may have created the pipeline in the meantime.
  const existing = findPipeline(service, organization, request);
  if (existing !== undefined) return existing;
  const { folder, file = null, slug: given } = request;
  const all = service.store.pipelines.list(organization.id);
  const wanted = given ?? slugOf(basename(folder));
  let slug = wanted;
  for (let number = 2; all.some((one) => one.slug === slug); number++) slug = `${wanted}-${number}`;
  return addPipeline(service, organization, {
    ...{ folder, file, slug, repository: folder, restricted: false, defaultBranch },
  });
}

function withRepository(
  { store }: ServiceContext,
  pipeline: Pipeline,
  repository = pipeline.repository,
): Pipeline {
  if (repository === pipeline.repository) return pipeline;
  const changed = { ...pipeline, repository, settings: { ...pipeline.settings, repository } };
  store.pipelines.update(changed);
  return changed;
}

function readRun(body: unknown): RunRequest {
  const members = bodyReader(body);
  members.required('folder');
  for (const name of ['org', 'slug', 'file', 'repository']) members.text(name);
  members.choice('workspace', ['inplace', 'copy', 'worktree']);
  members.map('hostEnv');
  members.integer('pid');
  members.object('plan');
  if (members.object('build') === undefined) members.reject('build', undefined, 'missing');
  const text = bodyReader(members.object('text') ?? { name: '-', text: '-' });
  text.required('name');
  text.required('text');
  text.done();
  const only = bodyReader(members.object('only') ?? {});
  only.text('from');
  only.texts('steps');
  only.flag('needs');
  only.done();
  const options = bodyReader(members.object('options') ?? {});
  options.object('plugins');
  options.text('pluginsFrom');
  options.map('secrets');
  options.choice('triggers', ['skip', 'error']);
  for (const name of ['tty', 'allowUnknownKeys', 'ignoreMissingDependencies']) options.flag(name);
  options.choice('runsOn', ['slots', 'agents']);
  options.done();
  members.done();
  // The body is not validated: the same program made the plan, and the caller has the admin token.
  return body as RunRequest;
}
