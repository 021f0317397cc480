import { posix } from 'node:path';
import type { Artifact } from '../../domain/records.ts';
import type { ServiceContext } from '../../service-context.ts';
import type { LocatedBuild } from '../lookups.ts';

/** An artifact as the public service shows it. */
export function presentArtifact(
  { urls }: ServiceContext,
  { organization, pipeline, build }: LocatedBuild,
  artifact: Artifact,
): object {
  const { id, jobId, path } = artifact;
  const url = urls.artifact(organization.slug, pipeline.slug, build.number, jobId, id);
  return {
    id,
    job_id: jobId,
    url,
    download_url: `${url}/download`,
    state: artifact.state,
    path,
    dirname: posix.dirname(path),
    filename: posix.basename(path),
    mime_type: artifact.contentType,
    file_size: artifact.fileSize,
    glob_path: artifact.globPath,
    original_path: artifact.absolutePath,
    sha1sum: artifact.sha1,
    sha256sum: artifact.sha256,
  };
}
