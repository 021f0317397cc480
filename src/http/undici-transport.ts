/**
 * The only files that know undici: this one, `proxy-transport.ts`, `tunnel.ts` and `dispatch.ts`.
 */
import type { Socket } from 'node:net';
import type { Dispatcher, buildConnector } from 'undici';
import createConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { dispatch } from './dispatch.ts';
import { skipInterim } from './interim.ts';
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
