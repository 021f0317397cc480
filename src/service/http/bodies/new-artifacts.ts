/** What an agent says of the files that it is going to upload. */
import type { Artifact } from '../../domain/records.ts';
import { badRequest, refused } from '../api-error.ts';
import { bodyReader, objectOf } from '../body-reader.ts';

export interface NewArtifacts {
  /** The id that repeats of the same announcement share; `''` where there is none. */
  readonly batch: string;
  readonly artifacts: readonly Announced[];
}

type Announced = Omit<Artifact, 'id' | 'buildId' | 'jobId' | 'state' | 'secret' | 'createdAt'>;

/** Throws `ApiError` where one of them cannot be kept. */
export function readNewArtifacts(value: unknown): NewArtifacts {
  const body = objectOf(value);
  const members = bodyReader(body);
  const batch = members.text('id') ?? '';
  const destination = members.text('upload_destination') ?? '';
  members.done();
  const { artifacts } = body;
  if (!Array.isArray(artifacts)) throw badRequest('artifacts must be an array');
  return { batch, artifacts: artifacts.map((one) => readOne(one, destination)) };
}

function readOne(value: unknown, destination: string): Announced {
  const members = bodyReader(objectOf(value));
  const path = members.required('path');
  const artifact = {
    path: path.replaceAll('\\', '/').replace(/^(\.?\/)+/, ''),
    absolutePath: members.text('absolute_path') ?? '',
    globPath: members.text('glob_path') ?? '',
    fileSize: members.integer('file_size') ?? 0,
    sha1: members.text('sha1sum') ?? '',
    sha256: members.text('sha256sum') ?? '',
    contentType: typeOf(members.text('content_type') ?? ''),
    ...(destination !== '' && {
      elsewhere: { destination, url: onTheWeb(members.text('url') ?? '') },
    }),
  };
  members.done();
  if (!namesFile(artifact.path))
    throw refused(`The path ${JSON.stringify(path)} does not name a file in the job's directory`);
  if (artifact.fileSize < 0) throw refused(`The artifact ${path} has no size`);
  return artifact;
}

/** One such path would make it impossible to download the other artifacts. */
function namesFile(path: string): boolean {
  const parts = path.split('/');
  return !['', '.'].includes(parts.at(-1) ?? '') && !parts.includes('..');
}

/** Nobody is to be led to what is no page or file. */
const onTheWeb = (url: string): string => (/^https?:\/\/[!-~]+$/.test(url) ? url : '');

/** What is no type would be no header either. */
const typeOf = (text: string): string =>
  /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/.test(text) ? text : 'application/octet-stream';
