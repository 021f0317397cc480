/** Uploads and downloads artifacts. No other part of the agent loads Node's HTTP module. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { AgentError } from './command.ts';
import { textOf } from './print.ts';

/** Uploads a file. Resolves to the `ETag` of the response. Throws `AgentError`. */
export async function sendFile(
  { method, url }: { readonly method: string; readonly url: string },
  file: { readonly path: string; readonly size: number; readonly type: string },
): Promise<string> {
  const { createReadStream } = await import('node:fs');
  const { pipeline } = await import('node:stream/promises');
  const call = await open(url, method, {
    'content-type': file.type,
    'content-length': String(file.size),
  });
  // Stops at the current size, because another process may be appending to the file.
  const content = file.size === 0 ? [] : createReadStream(file.path, { end: file.size - 1 });
  const refused = new AbortController();
  // If the service rejects the upload, stops sending and returns the response.
  const [, received] = await Promise.allSettled([
    pipeline(content, call, { signal: refused.signal }),
    replyOf(call, url).then((reply) => {
      if (reply.status >= 300) refused.abort();
      return reply;
    }),
  ]);
  if (received.status === 'rejected') throw received.reason;
  const { status, text, etag } = received.value;
  if (status >= 300) throw new AgentError(messageOf(status, text));
  return etag;
}

async function replyOf(call: ClientRequest, url: string) {
  const response = await responseOf(call, url);
  const { statusCode: status = 0, headers } = response;
  return { status, text: await textOf(response), etag: headers.etag ?? '' };
}

/** Downloads a URL to a file. An incomplete file is removed. Throws `AgentError`. */
export async function receiveFile(url: string, path: string): Promise<void> {
  const { createWriteStream } = await import('node:fs');
  const files = await import('node:fs/promises');
  const { pipeline } = await import('node:stream/promises');
  const call = await open(url, 'GET', {});
  call.end();
  const response = await responseOf(call, url);
  const { statusCode = 0 } = response;
  if (statusCode >= 300) throw new AgentError(messageOf(statusCode, await textOf(response)));
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    await files.mkdir(dirname(path), { recursive: true });
    await pipeline(response, createWriteStream(draft));
    await files.rename(draft, path);
  } catch (error) {
    await files.rm(draft, { force: true });
    throw new AgentError((error as Error).message);
  }
}

async function open(url: string, method: string, headers: Record<string, string>) {
  const http = await import('node:http');
  if (!url.startsWith('http://'))
    throw new AgentError(`cannot reach ${url}: it is not an http:// URL`);
  return http.request(url, { method, headers, agent: false });
}

const responseOf = (call: ClientRequest, url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    call.on('response', resolve);
    call.on('error', ({ message }) =>
      reject(new AgentError(`connection to ${new URL(url).origin} failed: ${message}`)),
    );
  });

function messageOf(status: number, text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: string };
    if (message !== undefined) return message;
  } catch {
    // The response does not contain a message.
  }
  return `status ${status}`;
}

/** Runs `action` on every item, at most `count` at a time; results keep the input order. */
export async function together<T, R>(
  count: number,
  all: readonly T[],
  action: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = all.entries();
  async function work(): Promise<void> {
    for (const [index, one] of rest) results[index] = await action(one, index);
  }
  await Promise.all(Array.from({ length: Math.min(count, all.length) }, work));
  return results;
}
