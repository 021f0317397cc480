import { findJob } from '../../domain/find-job.ts';
import type { Build, Annotation } from '../../domain/records.ts';
import { graphqlId, iso, isoOrNull } from '../../http/present/scalars.ts';
import { connection, type PageArguments, type Connection } from '../connection.ts';
import {
  visibleBuild,
  visibleOrganization,
  visiblePipeline,
  visibleTree,
  type GraphqlContext,
} from '../context.ts';
import { jobsOf, type JobArguments } from './job.ts';
import { userNode, userOf } from './user.ts';
import { initialsSvg } from '../../http/pictures.ts';
import type { AnnotationHead } from '../../store/tables/annotations.ts';
import { mostFields } from '../cost.ts';

/** Null where there is none, or none that the caller may see. */
export function buildNode(context: GraphqlContext, id: string): object | null {
  const build = visibleBuild(context, id);
  return build === undefined ? null : nodeOf(context, build);
}

function nodeOf(context: GraphqlContext, build: Build): object {
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
    triggeredFrom: () => triggeringJob(context, build),
    pipeline: () => pipeline && context.nodes.pipeline(context, pipeline),
    organization: () => organization && context.nodes.organization(context, organization),
    metaData: (given: PageArguments) => metaDataOf(build, given),
    jobs: (given: JobArguments) => jobsOf(context, { buildId: build.id }, given),
    annotations: (given: AnnotationArguments) => annotationsOf(context, build.id, given),
  };
}

function triggeringJob(context: GraphqlContext, { triggeredFrom }: Build): object | null {
  const tree = triggeredFrom === null ? undefined : visibleTree(context, triggeredFrom.buildId);
  const job = tree && findJob(tree, triggeredFrom?.jobId ?? '');
  return tree && job ? context.nodes.job(context, tree, job) : null;
}

const sources: Readonly<Record<Build['source'], string>> = {
  api: 'BuildSourceAPI',
  ui: 'BuildSourceFrontend',
  schedule: 'BuildSourceSchedule',
  trigger_job: 'BuildSourceTriggerJob',
  webhook: 'BuildSourceWebhook',
};

const metaDataOf = ({ metaData }: Build, args: PageArguments) =>
  connection(
    Object.entries(metaData),
    args,
    ([key]) => key,
    ([key, value]) => ({ key, value }),
  );

// Who a build is by.

/**
 * Its author, where one was given: the member of the organization with that address, else a person
 * known by name and address alone. Without an author, the user who made it.
 */
function creatorNode(context: GraphqlContext, build: Build): object | null {
  const { author, creatorId, organizationId } = build;
  const { accounts } = context.service.store;
  const maker = creatorId === null ? undefined : accounts.user(creatorId);
  if (author === null || isSame(author.email, maker?.email)) return userNode(context, creatorId);
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
  avatar: { url: picture(name === '' ? email : name) },
});

/** The service has no address for people it does not know: the picture is in the response itself. */
const picture = (name: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(initialsSvg(name)).toString('base64')}`;

interface AnnotationArguments extends PageArguments {
  readonly style?: readonly string[] | null;
  readonly context?: readonly string[] | null;
  readonly order?: 'PRIORITY_RECENTLY_CREATED' | 'RECENTLY_CREATED' | null;
}

/** Annotations of a build, the newest first or, where asked for, the highest priority first. */
function annotationsOf(
  { service, turns }: GraphqlContext,
  buildId: string,
  args: AnnotationArguments,
): Connection {
  const { annotations } = service.store;
  const wanted = ({ style, context }: AnnotationHead): boolean =>
    (args.style?.includes(style.toUpperCase()) ?? true) &&
    (args.context?.includes(context) ?? true);
  const byPriority = args.order === 'PRIORITY_RECENTLY_CREATED';
  const found = annotations
    .heads(buildId)
    .filter(wanted)
    .reverse()
    .sort((a, b) => (byPriority && b.priority - a.priority) || b.createdAt - a.createdAt);
  return connection(found, args, keyOf, ({ id }) => {
    turns.count(mostFields);
    const annotation = annotations.byId(id);
    return annotation === undefined ? null : annotationNode(annotation);
  });
}

const keyOf = ({ id }: AnnotationHead): string => id;

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
