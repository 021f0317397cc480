import { integer, resource, state, text, url, type ResourceValue } from './resource.ts';

/** A file uploaded by a job. Not in spec.md; as in the public service. */
export const artifact = resource({
  name: 'artifact',
  plural: 'artifacts',
  references: ['path'],
  identity: ['id', 'path'],
  members: {
    id: text(),
    job_id: text(),
    url: url(),
    download_url: url(),
    state: state(),
    path: text(),
    dirname: text(),
    filename: text(),
    mime_type: text(),
    file_size: integer(),
    glob_path: text(),
    original_path: text(),
    sha1sum: text(),
    sha256sum: text(),
  },
  columns: [
    { path: 'path', heading: 'PATH', keeps: 'end', stays: true, least: 16, givesWay: true },
    { path: 'file_size', heading: 'BYTES' },
    { path: 'state', heading: 'STATE' },
    { path: 'job_id', heading: 'JOB', givesWay: true, isSpare: true },
    { path: 'id', heading: 'ID', givesWay: true, isSpare: true },
  ],
});

export type Artifact = ResourceValue<typeof artifact>;
