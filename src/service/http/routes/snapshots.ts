import { rangeResponse, byteRange } from '../byte-range.ts';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOf } from '../../secrets.ts';
import type { ServiceContext } from '../../service-context.ts';
import { ApiError, notFound } from '../api-error.ts';
import { bytes, type RouteResponse } from '../response.ts';
import { open, route, type Call, type Route } from '../route.ts';

const path = '/v3/snapshots/:build';
type FileCall = Call<'build'>;

/** Serves snapshots to git. With a valid token, unknown paths return 404. */
export const snapshotRoutes: readonly Route[] = [
  route('GET', `${path}/HEAD`, open, (call, service) => serve(service, call, 'HEAD')),
  route('GET', `${path}/info/refs`, open, (call, service) => serve(service, call, refs)),
  route('GET', `${path}/objects/:folder/:file`, open, serveObject),
  route('GET', `${path}/*`, open, (call, service) => serve(service, call, null)),
];

const refs = 'info/refs';

const objectName =
  /^([0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]{40,64}\.(pack|idx)|info\/packs)$/;

function serveObject(
  call: Call<'build' | 'folder' | 'file'>,
  service: ServiceContext,
): Promise<RouteResponse> {
  const name = `${call.params.folder}/${call.params.file}`;
  return serve(service, call, objectName.test(name) ? `objects/${name}` : null);
}

async function serve(
  service: ServiceContext,
  call: FileCall,
  name: string | null,
): Promise<RouteResponse> {
  const file = join(service.snapshots.repository(ownBuild(service, call)), name ?? '');
  const found = name === null ? undefined : await stat(file).catch(() => undefined);
  if (found === undefined) throw notFound('snapshot file');
  const range = byteRange(call.header('range'), found.size);
  const { status, headers } = rangeResponse(found.size, range);
  const content = createReadStream(file, range ? { start: range.first, end: range.last } : {});
  return bytes(name === refs ? 'text/plain' : 'application/octet-stream', content, {
    ...{ status, headers: { ...headers, 'cache-control': 'no-store' } },
  });
}

/** Throws `ApiError` 401 unless the password is the token of an unfinished job of this build. */
function ownBuild({ store }: ServiceContext, call: FileCall): string {
  const password = passwordIn(call.header('authorization'));
  const token = password === '' ? undefined : store.accounts.token(hashOf(password));
  const buildId = token?.kind === 'job' ? token.buildId : null;
  const tree = buildId === null ? undefined : store.builds.tree(buildId);
  const job = tree?.jobs.find(({ id }) => id === token?.jobId);
  const isUnderWay = job !== undefined && job.finishedAt === null;
  if (buildId !== null && isUnderWay && call.params.build === `${buildId}.git`) return buildId;
  throw new ApiError(401, 'The password must be the token of a running job of this build', {
    headers: { 'www-authenticate': 'Basic realm="snapshots"' },
  });
}

function passwordIn(header = ''): string {
  const [, basic = ''] = /^\s*basic\s+(\S+)\s*$/i.exec(header) ?? [];
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? [];
  return password;
}
