import { type ApiError, invalid, notFound, refused } from '../../api-error.ts';
import { statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { readRemotes } from '../../../../common/checkout.ts';
import { defaultBranchOf, askGit } from '../../../git.ts';
import type { ServiceContext } from '../../../service-context.ts';
import {
  newPipeline,
  setMembers,
  slugOf,
  type GivenPipeline,
} from '../../../domain/new-pipeline.ts';
import type { Organization, Pipeline } from '../../../domain/records.ts';
import { empty, json } from '../../response.ts';
import { isPictureUrl } from '../../pictures.ts';
import { presentPipeline } from '../../present/pipeline.ts';
import { admin, route, type Call, type Route } from '../../route.ts';
import { objectOf, bodyReader, type Body } from '../../body-reader.ts';

const message = 'url must be an http or https URL, or data:image/png;base64,… of at most 1 MB';

const ofOrganization = '/local/v1/organizations/:org/pipelines';

const ofPipeline = `${ofOrganization}/:pipeline` as const;

const present = (
  service: ServiceContext,
  organization: Organization,
  pipeline: Pipeline,
): object => ({
  ...presentPipeline(service, organization, pipeline, { mayEdit: true, single: true }),
  folder: pipeline.folder,
  file: pipeline.file,
  restricted: pipeline.restricted,
});

/** Converts field values to strings. Null becomes an empty string. */
const textsOf = (body: Body): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
    ]),
  );

export const pipelineRoutes: readonly Route[] = [
  route('GET', ofOrganization, admin, (call, service) => {
    const organization = findOrganization(service, call.params.org);
    const all = service.store.pipelines.list(organization.id);
    return json(all.map((pipeline) => present(service, organization, pipeline)));
  }),
  route('POST', ofOrganization, admin, async (call, service) => {
    const organization = findOrganization(service, call.params.org);
    const members = bodyReader(await call.body());
    const folder = members.required('folder');
    const file = members.text('file') ?? null;
    const slug = members.text('slug') ?? slugOf(basename(folder));
    const restricted = members.flag('restricted');
    members.done();
    // Git cannot start in a missing directory.
    checkFolder(folder);
    const [defaultBranch, { usual: repository = folder }] = await Promise.all([
      defaultBranchOf(folder),
      readRemotes((...args) => askGit(folder, args)),
    ]);
    const known = service.store.pipelines.find(organization.id, slug);
    // An earlier `cictl run` may have registered the directory.
    if (known?.folder === folder && (file === null || known.file === file)) {
      const changed = { ...known, repository, restricted: restricted || known.restricted };
      service.store.pipelines.update(changed);
      return json(present(service, organization, changed));
    }
    const pipeline = addPipeline(service, organization, {
      ...{ folder, file, slug, repository, restricted, defaultBranch },
    });
    return json(present(service, organization, pipeline), 201);
  }),
  route('GET', ofPipeline, admin, (call, service) => {
    const { organization, pipeline } = findPipeline(service, call);
    return json(present(service, organization, pipeline));
  }),
  route('PATCH', ofPipeline, admin, async (call, service) => {
    const { organization, pipeline } = findPipeline(service, call);
    const changed = setMembers(pipeline, textsOf(objectOf(await call.body())));
    service.store.pipelines.update(changed);
    service.engine.feed.note(organization.id, [pipeline.id]);
    return json(present(service, organization, changed));
  }),
  route('DELETE', ofPipeline, admin, async (call, service) => {
    const { organization, pipeline } = findPipeline(service, call);
    refuseBusy(service, pipeline);
    await service.pruner.removeBuildsOf(pipeline.id);
    // Builds may have been created in the meantime.
    refuseBusy(service, pipeline);
    const withFiles = service.store.artifacts.buildsOf(pipeline.id);
    service.store.pipelines.remove(pipeline.id);
    for (const id of [pipeline.id, organization.id]) service.engine.feed.note(id, null);
    for (const buildId of withFiles) await service.artifactFiles.removeBuild(buildId);
    return empty();
  }),
  route('POST', '/local/v1/organizations/:org/emojis', admin, async (call, service) => {
    const { id } = findOrganization(service, call.params.org);
    const members = bodyReader(await call.body());
    const emoji = { name: members.required('name'), url: members.required('url') };
    const aliases = members.texts('aliases') ?? [];
    members.done();
    if (![emoji.name, ...aliases].every((name) => /^[\w+-]+$/.test(name)))
      throw invalid({ field: 'name', code: 'invalid' });
    if (!isPictureUrl(emoji.url)) throw invalid({ field: 'url', code: 'invalid', message });
    service.store.emojis.put({ ...emoji, aliases, organizationId: id });
    return json({ ...emoji, aliases }, 201);
  }),
];

export function findOrganization({ store }: ServiceContext, slug: string): Organization {
  const organization = store.accounts.organization(slug);
  if (organization === undefined) throw notFound('organization');
  return organization;
}

function refuseBusy({ store }: ServiceContext, { id, slug }: Pipeline): void {
  const busy = { pipelineId: id, states: ['scheduled', 'running', 'failing', 'canceling'] };
  if (store.builds.count(busy) > 0) throw refused(`Pipeline ${slug} has unfinished builds`);
}

function findPipeline(service: ServiceContext, { params }: Call<'org' | 'pipeline'>) {
  const organization = findOrganization(service, params.org);
  const pipeline = service.store.pipelines.find(organization.id, params.pipeline);
  if (pipeline === undefined) throw notFound('pipeline');
  return { organization, pipeline };
}

/** Throws `ApiError` 422 if the slug is taken or the directory does not exist. */
export function addPipeline(
  { store, engine, newId, clock, urls }: ServiceContext,
  { id: organizationId, slug: org }: Organization,
  input: Omit<GivenPipeline, 'id' | 'organizationId' | 'webhookUrl' | 'createdAt'>,
): Pipeline {
  checkFolder(input.folder);
  checkSlug(input.slug);
  const same = store.pipelines.find(organizationId, input.slug);
  if (same !== undefined)
    throw refused(
      `Pipeline ${same.slug} already uses ${same.folder}; to add another, use a different --slug`,
    );
  const id = newId();
  const webhookUrl = urls.webhook(org, id);
  const pipeline = newPipeline({
    ...{ ...input, id, organizationId, webhookUrl, createdAt: clock.now() },
  });
  store.pipelines.add(pipeline);
  engine.feed.note(organizationId, null);
  return pipeline;
}

function checkFolder(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isAbsolute(folder) || !isFolder) throw refused(`No such directory: ${folder}`);
}

/** Only allows slugs that never need to be encoded in URLs. Throws `ApiError` 422. */
function checkSlug(slug: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(slug))
    throw wrongSlug(
      'contain only letters, digits, - and _, start with a letter or digit, and have at most 100 characters',
    );
}

/** Also rejects slugs that collide with other URLs of the service. */
export function checkOrganizationSlug(slug: string): void {
  if (['avatars', 'badges', 'emojis', 'webhooks'].includes(slug))
    throw wrongSlug(`not be ${slug}: the service uses that path itself`);
  checkSlug(slug);
}

const wrongSlug = (reason: string): ApiError =>
  invalid({ field: 'slug', code: 'invalid', message: `slug must ${reason}` });
