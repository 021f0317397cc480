/** `buildkite-agent annotate` and `annotation remove`. */
import type { ServiceContext } from '../../../service-context.ts';
import { notFound, refused } from '../../api-error.ts';
import { objectOf, type Body } from '../../body-reader.ts';
import { putAnnotation } from '../../bodies/put-annotation.ts';
import { presentAnnotation } from '../../present/annotation.ts';
import { empty, json } from '../../response.ts';
import type { Route } from '../../route.ts';
import { jobRoute, type OwnJob } from './job-route.ts';
import { withoutSecrets } from './without-secrets.ts';

export const agentAnnotationRoutes: readonly Route[] = [
  jobRoute('POST', '/v3/jobs/:job/annotations', async (call, service, own) => {
    const given = objectOf(await call.body());
    const bodyOf = (): Body => withBody(service, own, given);
    return json(presentAnnotation(await putAnnotation(service, own.buildId, bodyOf)), 201);
  }),
  jobRoute('DELETE', '/v3/jobs/:job/annotations/:context', ({ params }, { store }, own) => {
    const { annotations } = store;
    const annotation = annotations.find(own.buildId, params.context);
    if (annotation === undefined || !annotations.remove(own.buildId, annotation.id))
      throw notFound(`annotation with the context "${params.context}"`);
    return empty();
  }),
];

/** Without a body, one that is there gets another style or priority. */
function withBody({ store }: ServiceContext, own: OwnJob, given: Body): Body {
  const { body, context } = given;
  if (typeof body === 'string' && body !== '') return { ...given, body: withoutSecrets(own, body) };
  if (body !== undefined && body !== '') return given;
  const name = typeof context === 'string' ? context : 'default';
  const before = store.annotations.find(own.buildId, name);
  if (before === undefined)
    throw refused(`There is no annotation with the context "${name}" yet: give it a body`);
  const { style, priority } = before;
  return { style, priority, ...given, append: false, context: name, body: before.body };
}
