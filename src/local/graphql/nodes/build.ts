import { isCurrent } from '../../domain/job-states.ts';
import type { Annotation, Job, Tree } from '../../domain/records.ts';
import { graphqlId, iso, isoOrNull } from '../../http/present/parts.ts';
import { connection, type Connection, type PageArguments } from '../connection.ts';
import { organizationSeen, pipelineSeen, treeSeen, type Viewpoint } from '../viewpoint.ts';
import { organizationNode, userNode } from './accounts.ts';
import { annotationNode } from './annotation.ts';
import { jobNode, jobType } from './job.ts';
import { pipelineNode } from './pipeline.ts';

/** Null where there is none, or none that the caller may see. */
export function buildNode(viewpoint: Viewpoint, id: string): object | null {
  const tree = treeSeen(viewpoint, id);
  return tree === undefined ? null : nodeOf(viewpoint, tree);
}

function nodeOf(viewpoint: Viewpoint, tree: Tree): object {
  const { build } = tree;
  const pipeline = pipelineSeen(viewpoint, build.pipelineId);
  const organization = organizationSeen(viewpoint, build.organizationId);
  const { urls } = viewpoint.core;
  return {
    __typename: 'Build',
    id: graphqlId('Build', build.id),
    uuid: build.id,
    number: build.number,
    url: urls.webBuild(organization?.slug ?? '', pipeline?.slug ?? '', build.number),
    state: build.state.toUpperCase(),
    blocked: build.blocked,
    blockedState: build.blockedState === '' ? null : build.blockedState,
    branch: build.branch,
    commit: build.commit,
    message: build.message,
    env: Object.entries(build.env).map(([name, value]) => `${name}=${value}`),
    source: { name: build.source },
    cancelReason: build.cancelReason,
    createdAt: iso(build.createdAt),
    scheduledAt: iso(build.scheduledAt),
    startedAt: isoOrNull(build.startedAt),
    finishedAt: isoOrNull(build.finishedAt),
    createdBy: () => userNode(viewpoint, build.creatorId),
    pullRequest: build.pullRequest,
    rebuiltFrom: () => build.rebuiltFrom && buildNode(viewpoint, build.rebuiltFrom.id),
    pipeline: () => pipeline && pipelineNode(viewpoint, pipeline),
    organization: () => organization && organizationNode(viewpoint, organization),
    metaData: (given: PageArguments) => metaData(build.metaData, given),
    jobs: (given: JobArguments) => jobs(viewpoint, tree, given),
    annotations: (given: AnnotationArguments) => annotations(viewpoint, build.id, given),
  };
}

const metaData = (values: Tree['build']['metaData'], given: PageArguments): Connection =>
  connection(Object.keys(values), given, (key) => ({ key, value: values[key] }));

interface JobArguments extends PageArguments {
  readonly type?: readonly string[] | null;
  readonly state?: readonly string[] | null;
  readonly passed?: boolean | null;
  readonly includeRetried?: boolean | null;
}

function jobs(viewpoint: Viewpoint, tree: Tree, given: JobArguments): Connection {
  const wanted = (job: Job): boolean =>
    (given.includeRetried === true || isCurrent(job)) &&
    (given.type?.includes(jobType(job)) ?? true) &&
    (given.state?.includes(job.state.toUpperCase()) ?? true) &&
    (given.passed == null || (job.state === 'passed') === given.passed);
  const found = new Map(tree.jobs.filter(wanted).map((job) => [job.id, job]));
  return connection([...found.keys()], given, (id) => {
    const job = found.get(id);
    return job && jobNode(viewpoint, tree, job);
  });
}

interface AnnotationArguments extends PageArguments {
  readonly style?: readonly string[] | null;
  readonly context?: readonly string[] | null;
}

function annotations({ core }: Viewpoint, buildId: string, given: AnnotationArguments): Connection {
  const wanted = ({ style, context }: Annotation): boolean =>
    (given.style?.includes(style.toUpperCase()) ?? true) &&
    (given.context?.includes(context) ?? true);
  const all = core.store.notes.annotations(buildId, { offset: 0, limit: -1 }).filter(wanted);
  const found = new Map(all.map((annotation) => [annotation.id, annotation]));
  return connection([...found.keys()], given, (id) => {
    const annotation = found.get(id);
    return annotation && annotationNode(annotation);
  });
}
