import type { Build, Annotation } from '../../domain/records.ts';
import { graphqlId, iso, isoOrNull } from '../../http/present/scalars.ts';
import { connection, idOf, type PageArguments, type Connection } from '../connection.ts';
import {
  visibleBuild,
  visibleJobNode,
  visibleOrganization,
  visibleOrganizationNode,
  visiblePipeline,
  visiblePipelineNode,
  type GraphqlContext,
} from '../context.ts';
import { jobsOf, type JobArguments } from './job.ts';
import { userNode, userOf } from './user.ts';
import { initialsSvg } from '../../http/pictures.ts';
import type { AnnotationHead } from '../../store/tables/annotations.ts';
import { mostFields } from '../cost.ts';

export function buildNode(context: GraphqlContext, id: string): object | undefined {
  const build = visibleBuild(context, id);
  if (build === undefined) return undefined;
  const { triggeredFrom } = build;
  const pipeline = visiblePipeline(context, build.pipelineId);
  const organization = visibleOrganization(context, build.organizationId);
  const { urls } = context.service;
  return {
    __typename: 'Build',
    id: graphqlId('Build', build.id),
    uuid: build.id,
    number: build.number,
    url: urls.webBuild(organization?.slug ?? '', pipeline?.slug ?? '', build.number),
    state: build.state.toUpperCase(),
    blocked: build.blocked,
    blockedState: build.blockedState === '' ? null : build.blockedState.toUpperCase(),
    branch: build.branch,
    commit: build.commit,
    message: build.message,
    env: Object.entries(build.env).map(([name, value]) => `${name}=${value}`),
    source: { __typename: sources[build.source], name: build.source },
    cancelReason: build.cancelReason,
    canceledAt: isoOrNull(build.canceledAt ?? null),
    canceledBy: () => userNode(context, build.canceledById),
    createdAt: iso(build.createdAt),
    scheduledAt: iso(build.scheduledAt),
    startedAt: isoOrNull(build.startedAt),
    finishedAt: isoOrNull(build.finishedAt),
    createdBy: () => creatorNode(context, build),
    pullRequest: build.pullRequest,
    rebuiltFrom: () => build.rebuiltFrom && buildNode(context, build.rebuiltFrom.id),
    triggeredFrom: () =>
      triggeredFrom && visibleJobNode(context, triggeredFrom.buildId, triggeredFrom.jobId),
    pipeline: () => visiblePipelineNode(context, build.pipelineId),
    organization: () => visibleOrganizationNode(context, build.organizationId),
    metaData: (given: PageArguments) =>
      connection(
        Object.entries(build.metaData),
        given,
        ([key]) => key,
        ([key, value]) => ({ key, value }),
      ),
    jobs: (given: JobArguments) => jobsOf(context, { buildId: build.id }, given),
    annotations: (given: AnnotationArguments) => annotationsOf(context, build.id, given),
  };
}

const sources: Readonly<Record<Build['source'], string>> = {
  api: 'BuildSourceAPI',
  ui: 'BuildSourceFrontend',
  schedule: 'BuildSourceSchedule',
  trigger_job: 'BuildSourceTriggerJob',
  webhook: 'BuildSourceWebhook',
};

/**
 * The build's author: a member of the organization with that email address, or otherwise an
 * unregistered user. If the build has no author, returns the user who created the build.
 */
function creatorNode(context: GraphqlContext, build: Build): object | undefined {
  const { author, creatorId, organizationId } = build;
  const { accounts } = context.service.store;
  const creator = creatorId === null ? undefined : accounts.user(creatorId);
  if (author === null || isSame(author.email, creator?.email)) return userNode(context, creatorId);
  const member = accounts
    .members(organizationId)
    .find(({ user }) => isSame(author.email, user.email));
  return member === undefined ? unregistered(author) : userOf(context, member.user);
}

const isSame = (email: string, other: string | undefined): boolean =>
  email.toLowerCase() === other?.toLowerCase();

const unregistered = ({ name, email }: { name: string; email: string }): object => ({
  __typename: 'UnregisteredUser',
  name: name === '' ? null : name,
  email: email === '' ? null : email,
  // The service has no avatar URLs for people without an account.
  avatar: { url: `data:image/svg+xml;base64,${base64(initialsSvg(name || email))}` },
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface AnnotationArguments extends PageArguments {
  readonly style?: readonly string[] | null;
  readonly context?: readonly string[] | null;
  readonly order?: 'PRIORITY_RECENTLY_CREATED' | 'RECENTLY_CREATED' | null;
}

function annotationsOf(
  { service, turns }: GraphqlContext,
  buildId: string,
  args: AnnotationArguments,
): Connection {
  const { annotations } = service.store;
  const isWanted = ({ style, context }: AnnotationHead): boolean =>
    (args.style?.includes(style.toUpperCase()) ?? true) &&
    (args.context?.includes(context) ?? true);
  const byPriority = args.order === 'PRIORITY_RECENTLY_CREATED';
  const found = annotations
    .heads(buildId)
    .filter(isWanted)
    .reverse()
    .sort((a, b) => (byPriority && b.priority - a.priority) || b.createdAt - a.createdAt);
  return connection(found, args, idOf, ({ id }) => {
    turns.count(mostFields);
    const annotation = annotations.byId(id);
    return annotation && annotationNode(annotation);
  });
}

export const annotationNode = (annotation: Annotation): object => ({
  __typename: 'Annotation',
  id: graphqlId('Annotation', annotation.id),
  uuid: annotation.id,
  context: annotation.context,
  style: annotation.style.toUpperCase(),
  priority: annotation.priority,
  body: { html: annotation.html, text: annotation.body },
  createdAt: iso(annotation.createdAt),
  updatedAt: iso(annotation.updatedAt),
});
