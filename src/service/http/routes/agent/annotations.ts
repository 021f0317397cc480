import type { AnnotationOwner } from '../../../domain/annotate.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { notFound, refused } from '../../api-error.ts';
import { bodyReader, objectOf, type Body } from '../../body-reader.ts';
import { putAnnotation, presentAnnotation } from '../annotations.ts';
import { empty, json } from '../../response.ts';
import type { Route } from '../../route.ts';
import { jobRoute, type OwnJob, withoutSecrets } from './job-route.ts';

export const agentAnnotationRoutes: readonly Route[] = [
  jobRoute('POST', '/v3/jobs/:job/annotations', async (call, service, own) => {
    const given = objectOf(await call.body());
    const members = bodyReader(given);
    const owner = ownerIn(own, members.choice('scope', scopes));
    members.done();
    const bodyOf = (): Body => withBody(service, own, owner, given);
    return json(presentAnnotation(await putAnnotation(service, owner, bodyOf)), 201);
  }),
  jobRoute('DELETE', '/v3/jobs/:job/annotations/:context', ({ params, query }, service, own) => {
    const { annotations } = service.store;
    const { jobId } = ownerIn(own, query.get('scope') ?? undefined);
    const annotation = annotations.find(own.buildId, params.context, jobId);
    if (annotation === undefined || !annotations.remove(own.buildId, annotation.id))
      throw notFound(`annotation with the context "${params.context}"`);
    service.engine.feed.note(own.buildId, []);
    return empty();
  }),
];

const scopes = ['build', 'job', ''] as const;

const ownerIn = ({ buildId, jobId }: OwnJob, scope: string | undefined): AnnotationOwner => ({
  buildId,
  jobId: scope === 'job' ? jobId : null,
});

/** A request without a body only changes the style or priority of an existing annotation. */
function withBody(
  { store }: ServiceContext,
  own: OwnJob,
  { buildId, jobId }: AnnotationOwner,
  given: Body,
): Body {
  const { body, context } = given;
  if (typeof body === 'string' && body !== '') return { ...given, body: withoutSecrets(own, body) };
  if (body !== undefined && body !== '') return given;
  const name = typeof context === 'string' ? context : 'default';
  const before = store.annotations.find(buildId, name, jobId);
  if (before === undefined)
    throw refused(`No annotation with the context "${name}" exists: a body is required`);
  const { style, priority } = before;
  return { style, priority, ...given, append: false, context: name, body: before.body };
}
