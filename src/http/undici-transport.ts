/** Only this file, `proxy-transport.ts` and `dispatch.ts` import undici. */
import type { Socket } from 'node:net';
import type { Dispatcher, buildConnector } from 'undici';
import createConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { dispatch } from './dispatch.ts';
import type { Transport } from './transport.ts';

export function directTransport(): Transport {
  const { connect, drop } = createTrackedConnector();
  return transportOver(new Agent({ connect }), drop);
}

export const transportOver = (
  agent: Pick<Dispatcher, 'dispatch' | 'destroy'>,
  drop: () => void = () => undefined,
): Transport => ({
  send: (request) => dispatch(agent, request),
  close: async () => {
    drop();
    await agent.destroy();
  },
});

/** Tracks sockets, so that they can be closed on exit even if they are still connecting. */
export function createTrackedConnector() {
  const connector: (...call: Parameters<buildConnector.connector>) => unknown = createConnector({
    timeout: 0,
    allowH2: false,
  });
  const open = new Set<Socket>();
  const connect: buildConnector.connector = (options, callback) => {
    const socket = connector(options, callback) as Socket;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    skipInterim(socket);
  };
  const drop = (): void => {
    for (const socket of open) socket.destroy();
  };
  return { connect, drop };
}

/** Skips interim responses such as `100 Continue` (RFC 9110): undici would disconnect on them. */
export function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean;
  let isAwaited = false;
  let buffered = Buffer.alloc(0);

  function rest(chunk: Buffer): Buffer | undefined {
    buffered = Buffer.concat([buffered, chunk]);
    while (isInterim(buffered)) {
      const end = buffered.indexOf('\r\n\r\n');
      if (buffered.length < startLength || end < 0) return undefined;
      buffered = buffered.subarray(end + 4);
    }
    isAwaited = false;
    const whole = buffered;
    buffered = Buffer.alloc(0);
    return whole;
  }
  // A connection handles one request at a time, so after a write the next bytes start a response.
  socket.write = (...parts: unknown[]): boolean => {
    isAwaited = true;
    return write(...parts);
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null || !isAwaited) return chunk;
      const left = rest(chunk);
      if (left !== undefined) return left;
    }
  };
}

const startLength = 'HTTP/1.1 100'.length;

/** Whether the bytes are the start of an interim response, or may turn out to be one. */
function isInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, startLength);
  const pattern = 'HTTP/1._ 1__';
  for (let at = 0; at < start.length; at++) {
    const [expected, char] = [pattern.charAt(at), start.charAt(at)];
    if (expected === '_' ? !/\d/.test(char) : char !== expected) return false;
  }
  return !start.endsWith(' 101');
}
