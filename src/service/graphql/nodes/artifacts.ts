/** Artifacts of jobs, for those who may see their build. */
import { findJob } from '../../domain/find-job.ts';
import type { Artifact } from '../../domain/records.ts';
import { graphqlId } from '../../http/present/scalars.ts';
import { connection, type Connection, type PageArguments } from '../connection.ts';
import { visibleTree, type GraphqlContext } from '../context.ts';

/** Those of a job, in the order in which they were announced. */
export function artifactsOf(
  context: GraphqlContext,
  jobId: string,
  args: PageArguments,
): Connection {
  const { artifacts } = context.service.store;
  const owner = { jobId };
  const found = artifacts.list(owner, { offset: 0, limit: artifacts.count(owner) });
  context.turns.count(found.length);
  return connection(found, args, keyOf, (artifact) => artifactNode(context, artifact));
}

const keyOf = ({ id }: Artifact): string => id;

/** By its UUID; null where there is none, or none that the caller may see. */
export function findArtifact(context: GraphqlContext, uuid: string): object | null {
  const artifact = context.service.store.artifacts.byId(uuid);
  const isSeen = artifact && visibleTree(context, artifact.buildId) !== undefined;
  return isSeen ? artifactNode(context, artifact) : null;
}

const artifactNode = (context: GraphqlContext, artifact: Artifact): object => ({
  __typename: 'Artifact',
  id: graphqlId('Artifact', artifact.id),
  uuid: artifact.id,
  path: artifact.path,
  // It needs no token: clients send none there.
  downloadURL: context.service.urls.artifactFile(artifact),
  mimeType: artifact.contentType,
  sha1sum: artifact.sha1,
  sha256sum: artifact.sha256,
  size: Math.min(artifact.fileSize, largestInt),
  state: artifact.state,
  expiresAt: null,
  job: () => jobOf(context, artifact),
});

/** GraphQL has no larger whole number, and an error in its place would hide the artifact. */
const largestInt = 2 ** 31 - 1;

function jobOf(context: GraphqlContext, { buildId, jobId }: Artifact): object | null {
  const tree = visibleTree(context, buildId);
  const job = tree && findJob(tree, jobId);
  return tree && job ? context.nodes.job(context, tree, job) : null;
}
