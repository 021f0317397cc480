/** The bytes of artifacts, at addresses with a secret of their own: no token is wanted there. */
import { timingSafeEqual } from 'node:crypto';
import { posix } from 'node:path';
import type { Artifact } from '../../domain/records.ts';
import { hashOf } from '../../secrets.ts';
import type { ServiceContext } from '../../service-context.ts';
import { WrongSizeError } from '../../store/artifact-files.ts';
import { notFound, outOfOrder, refused } from '../api-error.ts';
import { byteRange } from '../byte-range.ts';
import { bytes, json, type RouteResponse } from '../response.ts';
import { route, type Call, type Route } from '../route.ts';

const path = '/v3/artifacts/:artifact/:secret';
const open = { audience: 'open' } as const;

type FileCall = Call<'artifact' | 'secret'>;

export const artifactFileRoutes: readonly Route[] = [
  route('GET', path, null, (call, service) => download(service, call), open),
  route('PUT', path, null, (call, service) => upload(service, call), open),
];

function findBySecret({ store }: ServiceContext, { params }: FileCall): Artifact {
  const artifact = store.artifacts.byId(params.artifact);
  const expected = Buffer.from(hashOf(artifact?.secret ?? ''));
  const isRight = timingSafeEqual(Buffer.from(hashOf(params.secret)), expected);
  if (artifact === undefined || artifact.elsewhere !== undefined || !isRight)
    throw notFound('artifact');
  return artifact;
}

async function download(service: ServiceContext, call: FileCall): Promise<RouteResponse> {
  const artifact = findBySecret(service, call);
  const size = await service.artifactFiles.size(artifact);
  if (artifact.state !== 'finished' || size === undefined) throw notFound('file of this artifact');
  const range = byteRange(call.header('range'), size);
  const headers = {
    'accept-ranges': 'bytes',
    'content-length': String(range === null ? size : range.last - range.first + 1),
    ...(range !== null && { 'content-range': `bytes ${range.first}-${range.last}/${size}` }),
    'content-disposition': dispositionOf(artifact),
    // Opened in a browser, it must not be able to do anything here.
    'content-security-policy': "sandbox; default-src 'none'",
  };
  return bytes(artifact.contentType, service.artifactFiles.read(artifact, range), {
    ...{ headers, status: range === null ? 200 : 206 },
  });
}

/** Old readers get what ASCII has of the name. */
function dispositionOf({ path: name }: Artifact): string {
  const file = posix.basename(name);
  const plain = file.replace(/[^ -~]|["\\]/g, '_');
  const encoded = encodeURIComponent(file).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

async function upload(service: ServiceContext, call: FileCall): Promise<RouteResponse> {
  const artifact = findBySecret(service, call);
  if (artifact.state !== 'new') throw refused('This artifact has been uploaded already');
  try {
    await service.artifactFiles.write(artifact, call.content());
  } catch (error) {
    await skipRest(call);
    if (error instanceof WrongSizeError) throw refused(`The artifact has ${error.message}`);
    throw isOfSystem(error) ? outOfOrder(error.message) : error;
  }
  return json({}, 200, { etag: `"${artifact.id}"` });
}

/** Whoever is still sending when the connection ends does not read why. */
async function skipRest(call: FileCall): Promise<void> {
  try {
    const rest = call.content()[Symbol.asyncIterator]();
    while ((await rest.next()).done !== true);
  } catch {
    // Nobody is there any more.
  }
}

const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;
