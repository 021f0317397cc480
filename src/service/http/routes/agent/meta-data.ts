import { commitKey, withGitCommit } from '../../../domain/git-commit.ts';
import type { Build } from '../../../domain/records.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { invalid, notFound, type FieldError } from '../../api-error.ts';
import { bodyReader, hasNul, isObject, objectOf, withoutNul } from '../../body-reader.ts';
import { empty, json, type RouteResponse } from '../../response.ts';
import type { Call, Route } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { foreignBuild, jobRoute, type OwnJob, withoutSecrets } from './job-route.ts';

/** Named `:source`, because a parameter named `:build` must be the job's own build. */
const places = ['/v3/jobs/:job/data', '/v3/builds/:source/data'] as const;

export const agentMetaDataRoutes: readonly Route[] = [
  jobRoute('POST', '/v3/jobs/:job/data/set', async (call, service, own) =>
    set(service, own, [await call.body()]),
  ),
  jobRoute('POST', '/v3/jobs/:job/data/set-batch', async (call, service, own) => {
    const { items } = objectOf(await call.body());
    if (!Array.isArray(items)) throw invalid({ field: 'items', code: 'missing' });
    return set(service, own, items);
  }),
  ...places.flatMap((place) => [
    jobRoute('POST', `${place}/get`, async (call, service, own) => {
      const metaData = metaDataOf(call, service, own);
      const key = await keyOf(call);
      if (!Object.hasOwn(metaData, key)) throw notFound(`meta-data with the key "${key}"`);
      return json({ key, value: metaData[key] });
    }),
    jobRoute('POST', `${place}/exists`, async (call, service, own) => {
      const metaData = metaDataOf(call, service, own);
      return json({ exists: Object.hasOwn(metaData, await keyOf(call)) });
    }),
    jobRoute('POST', `${place}/keys`, (call, service, own) =>
      json(Object.keys(metaDataOf(call, service, own)).sort()),
    ),
  ]),
];

/** Meta-data of the job's build or a build that triggered it; otherwise throws `ApiError` 401. */
function metaDataOf({ params }: Call, { store }: ServiceContext, own: OwnJob): Build['metaData'] {
  const { source = own.buildId } = params as { source?: string };
  let build: Build | undefined = own.tree().build;
  while (build !== undefined && build.id !== source)
    build =
      build.triggeredFrom === null ? undefined : store.builds.byId(build.triggeredFrom.buildId);
  if (build === undefined) throw foreignBuild(own.buildId);
  return build.metaData;
}

async function keyOf(call: Call): Promise<string> {
  const members = bodyReader(await call.body());
  const key = members.required('key');
  members.done();
  return key;
}

async function set(
  { snapshots, engine, store }: ServiceContext,
  own: OwnJob,
  items: readonly unknown[],
): Promise<RouteResponse> {
  const read = items.map((item) => readItem(own, item));
  const errors = read.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) throw invalid(...errors);
  const described = read.find(({ key }) => key === commitKey)?.value;
  // Ignores the commit of a snapshot, because that commit exists nowhere else.
  const isOfBuild =
    described !== undefined && (await snapshots.snapshotOf(own.buildId)) === undefined;
  const added = Object.fromEntries(read.map(({ key, value }) => [key, value]));
  engine.change(own.buildId, (tree) => {
    const build = { ...tree.build, metaData: { ...tree.build.metaData, ...added } };
    checkSize(build.metaData);
    if (!isOfBuild) return { ...tree, build };
    const creator = build.creatorId === null ? null : store.accounts.user(build.creatorId);
    return { ...tree, build: withGitCommit(build, described, creator ?? null) };
  });
  return empty();
}

function readItem(
  own: OwnJob,
  item: unknown,
): { readonly key: string; readonly value: string; readonly error?: FieldError } {
  const { key, value } = isObject(item) ? item : {};
  const wrong = (field: string, message: string) => ({
    ...{ key: '', value: '' },
    error: { field, code: 'invalid', message } as const,
  });
  if (typeof key !== 'string' || key.trim() === '') return wrong('key', 'key must not be empty');
  if (typeof value !== 'string' || value.trim() === '')
    return wrong('value', `the value of "${key}" must not be empty`);
  if (hasNul(key + value)) return wrong('value', withoutNul(`"${key}"`));
  return { key, value: withoutSecrets(own, value) };
}

/** Maximum total length of all keys and values, which are stored as one record. */
const most = 4 * 1024 * 1024;

function checkSize(metaData: Build['metaData']): void {
  const size = Object.entries(metaData).reduce(
    (sum, [key, value]) => sum + (key + value).length,
    0,
  );
  if (size > most)
    throw new Refusal('invalid', 'The meta-data of a build can have at most 4,194,304 characters');
}
