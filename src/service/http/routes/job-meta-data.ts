/**
 * Meta-data of its own build, for a running job by its own token: what `buildkite-agent meta-data`
 * needs. No part of the public API.
 */
import type { ServiceContext } from '../../service-context.ts';
import type { Tree } from '../../domain/records.ts';
import { empty, json } from '../response.ts';
import { forbidden, notFound } from '../api-error.ts';
import { route, type Call, type Route } from '../route.ts';
import { hasNul, objectOf, bodyReader, withoutNul } from '../body-reader.ts';

const path = '/local/v1/job/meta-data';
const own = { jobs: true };

export const jobMetaDataRoutes: readonly Route[] = [
  route('GET', path, null, (call, service) => json(ownTree(service, call).build.metaData), own),
  route(
    'PUT',
    `${path}/:key`,
    null,
    async (call, service) => {
      const { build } = ownTree(service, call);
      const members = bodyReader(objectOf(await call.body()));
      const value = members.text('value');
      if (value === undefined) members.addError({ field: 'value', code: 'missing' });
      if (hasNul(call.params.key))
        members.addError({ field: 'key', code: 'invalid', message: withoutNul('key') });
      members.done();
      service.engine.change(build.id, (tree) => withMetaData(tree, call.params.key, value ?? ''));
      return empty();
    },
    own,
  ),
];

function ownTree({ store }: ServiceContext, { caller }: Call): Tree {
  const { buildId } = caller.token;
  if (buildId === null) throw forbidden();
  const tree = store.builds.tree(buildId);
  if (tree === undefined) throw notFound('build');
  return tree;
}

const withMetaData = (tree: Tree, key: string, value: string): Tree => ({
  ...tree,
  build: { ...tree.build, metaData: { ...tree.build.metaData, [key]: value } },
});
