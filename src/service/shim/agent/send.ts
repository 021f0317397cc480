import { connect } from 'node:net';
import { AgentError, type Given } from './command.ts';

export interface Reply {
  readonly status: number;
  /** Parsed JSON, or undefined. */
  readonly body: unknown;
}

interface Call {
  /** Defaults to POST. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the endpoint, or to the service if it starts with `/local/`. */
  readonly path: string;
  readonly body?: unknown;
}

export const pathOf = (given: Given, flag: 'job' | 'build' | 'step'): string =>
  `/${flag}s/${encodeURIComponent(given.text(flag))}`;

/**
 * Sends a request over a plain socket. Scripts do this in loops, and loading Node's HTTP module
 * would take most of the time. Throws `AgentError` if there is no token or no response.
 */
export async function send(given: Given, { method = 'POST', path, body }: Call): Promise<Reply> {
  const { url, token } = accessOf(given, path);
  const content = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    `Authorization: Token ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(content)}`,
    'Connection: close',
  ];
  return readReply(await exchange(url, `${head.join('\r\n')}\r\n\r\n${content}`));
}

/** Sends a request and returns the body. For an error response, throws an error `what: message`. */
export async function ask(given: Given, what: string, call: Call): Promise<unknown> {
  const { status, body } = await send(given, call);
  if (status >= 300) throw refusal(what, { status, body });
  return body;
}

export function refusal(what: string, { status, body }: Reply): AgentError {
  const { message = `status ${status}` } = (body ?? {}) as { message?: string };
  return new AgentError(`${what}: ${message}`);
}

function accessOf(given: Given, path: string): { url: URL; token: string } {
  const token = given.text('agent-access-token');
  const endpoint = given.text('endpoint');
  if (token === '' || endpoint === '')
    throw new AgentError(
      `${token === '' ? 'BUILDKITE_AGENT_ACCESS_TOKEN' : 'BUILDKITE_AGENT_ENDPOINT'} is not set: run this command in a job`,
    );
  const base = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (base?.protocol !== 'http:')
    throw new AgentError(`the endpoint ${endpoint} is not an http:// URL`);
  const start = path.startsWith('/local/') ? base.origin : base.href.replace(/\/$/, '');
  return { url: new URL(`${start}${path}`), token };
}

const exchange = (url: URL, message: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(url.port || 80), url.hostname.replace(/^\[|\]$/g, ''));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (!isWhole(chunks)) return;
      // Closes the connection here, because waiting for the service to do so takes a round trip.
      socket.destroy();
      resolve(Buffer.concat(chunks));
    });
    socket.on('end', () => resolve(Buffer.concat(chunks)));
    socket.on('error', ({ message: reason }) =>
      reject(new AgentError(`the service at ${url.origin} does not respond: ${reason}`)),
    );
    socket.write(message);
  });

/** Whether the response is complete. Without `Content-Length`, it ends when the connection ends. */
function isWhole([first, ...rest]: readonly Buffer[]): boolean {
  const head = first?.indexOf('\r\n\r\n') ?? -1;
  if (first === undefined || head < 0) return false;
  const length = /^content-length: (\d+)/im.exec(first.toString('latin1', 0, head))?.[1];
  const come = rest.reduce((sum, chunk) => sum + chunk.length, first.length - head - 4);
  return length !== undefined && come >= Number(length);
}

function readReply(bytes: Buffer): Reply {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  if (end < 0 || status === undefined)
    throw new AgentError('the service sent an incomplete response');
  const content = bytes.subarray(end + 4);
  const text = (/^transfer-encoding: chunked/im.test(head) ? joined(content) : content).toString();
  return { status: Number(status), body: text.trim() === '' ? undefined : parsed(text) };
}

function joined(content: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = content.indexOf('\r\n', at);
    const size = line < 0 ? 0 : Number.parseInt(content.toString('latin1', at, line), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(content.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AgentError('the service sent a response that is not valid JSON');
  }
}
