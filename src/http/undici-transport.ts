/**
 * The only files that know undici: this one, `proxy-transport.ts`, `tunnel.ts` and `dispatch.ts`.
 */
import type { Socket } from 'node:net';
import type { Dispatcher, buildConnector } from 'undici';
import createConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { dispatch } from './dispatch.ts';
import type { Transport } from './transport.ts';

/** Connections of our own to any origin. */
export function directTransport(): Transport {
  const { connect, drop } = connections();
  return transportOver(new Agent({ connect }), drop);
}

/** A transport over an agent of undici; `drop` ends what is not yet a connection. */
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

/** Connections of our own, which `drop` ends, and those that are not made yet. */
export const connections = () => tracked(createConnector({ timeout: 0, allowH2: false }));

/**
 * A connector whose half-made connections can be ended. undici itself leaves them alone, so that
 * an interrupted program would live on until the system gives up on a host that does not respond.
 */
function tracked(connector: (...call: Parameters<buildConnector.connector>) => unknown) {
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

/**
 * Makes a connection skip interim responses such as an unasked `100 Continue` (RFC 9110, 15.2):
 * undici breaks the connection at one. `101` is left for it, since HTTP ends there.
 */
export function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean;
  let isAwaited = false;
  let buffered = Buffer.alloc(0);

  /** What follows the interim heads; undefined where more bytes are needed to know. */
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
  // One request at a time is on a connection: what is read after a write begins with a head.
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

/** Whether bytes are, or may become, the head of an interim response. */
function isInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, startLength);
  const pattern = 'HTTP/1._ 1__';
  for (let at = 0; at < start.length; at++) {
    const [expected, char] = [pattern.charAt(at), start.charAt(at)];
    if (expected === '_' ? !/\d/.test(char) : char !== expected) return false;
  }
  return !start.endsWith(' 101');
}
