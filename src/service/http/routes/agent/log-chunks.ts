/** Pieces of the log of a job, in any order, some of them twice. */
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { isWithAgent } from '../../../domain/job-states.ts';
import { badRequest, refused } from '../../api-error.ts';
import { json } from '../../response.ts';
import { route, type Call, type Route } from '../../route.ts';
import { ownJob } from './taken-jobs.ts';

/** Bytes of one piece: more than agents are asked for, since those are free to send more at once. */
const maxPiece = 4 * 1024 * 1024;

const unzip = promisify(gunzip);

/** Bytes. */
const small = 16 * 1024;

export const chunkRoute: Route = route(
  'POST',
  '/v3/jobs/:job/chunks',
  null,
  async (call, { engine, store, logPieces }) => {
    const { jobId, agentId } = ownJob(call);
    const { offset, size } = readPlace(call);
    engine.agents.seen(agentId, jobId);
    const bytes = await readPiece(call, size);
    const job = store.builds.job(jobId)?.job;
    // The log of a job that was given up has other lines by now.
    const isOwn = job?.agent?.id === agentId && job.signalReason !== 'agent_lost';
    if (isOwn) await logPieces.write(jobId, offset + (job.logStart ?? 0), bytes);
    if (isOwn && !isWithAgent(job)) await logPieces.finish(jobId);
    return json({});
  },
  { audience: 'job' },
);

function readPlace({ query }: Call): { offset: number; size: number } {
  const [sequence, offset, size] = ['sequence', 'offset', 'size'].map((name) => {
    const text = query.get(name) ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  });
  if (!sequence) throw badRequest('sequence must be a number from 1');
  if (offset === undefined || Number.isNaN(offset)) throw badRequest('offset must be a number');
  if (size === undefined || Number.isNaN(size)) throw badRequest('size must be a number');
  if (size > maxPiece) throw refused(`A chunk has at most ${maxPiece} bytes`);
  return { offset, size };
}

/** The bytes, which must be as many as was said. */
async function readPiece(call: Call, size: number): Promise<Buffer> {
  const isPacked = call.header('content-encoding')?.toLowerCase() === 'gzip';
  const sent = await readAll(call, size + 1024 + Math.ceil(size / 100));
  const bytes = isPacked ? await unpack(sent, size) : sent;
  if (bytes.byteLength !== size)
    throw badRequest(
      `The chunk has ${bytes.byteLength} bytes, not the ${size} that were announced`,
    );
  return bytes;
}

async function readAll(call: Call, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of call.content()) {
    length += part.byteLength;
    if (length <= limit) parts.push(part);
  }
  if (length > limit) throw refused('The chunk is larger than was announced');
  return parts.length === 1 && parts[0] ? Buffer.from(parts[0]) : Buffer.concat(parts);
}

async function unpack(sent: Buffer, size: number): Promise<Buffer> {
  try {
    const options = { maxOutputLength: Math.max(1, size) };
    // Sooner done than a thread is asked to do it.
    return size <= small ? gunzipSync(sent, options) : await unzip(sent, options);
  } catch {
    throw badRequest('The chunk is no gzip of as many bytes as were announced');
  }
}
