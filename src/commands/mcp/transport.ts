/** Messages of the protocol over two pipes, a line each. */
import type { Readable } from 'node:stream';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { CictlError } from '../../errors.ts';
import { createMessageReader } from './read-messages.ts';

export interface PipeTransport extends Transport {
  /** Resolves when the input has ended and every request in it has its answer. */
  readonly done: Promise<void>;
}

/** `write` resolves when the other side has taken the text. */
export function pipeTransport(
  input: Readable,
  write: (text: string) => Promise<void>,
): PipeTransport {
  const open = new Set<unknown>();
  let hasEnded = false;
  const { promise: done, resolve, reject } = promiseParts();
  const settle = (): void => {
    if (hasEnded && open.size === 0) resolve();
  };
  const receive = (message: JSONRPCMessage): void => {
    if ('method' in message && 'id' in message) open.add(message.id);
    transport.onmessage?.(message);
    // What was taken back gets no answer.
    if ('method' in message && message.method === 'notifications/cancelled') {
      open.delete(message.params?.['requestId']);
      settle();
    }
  };
  const messages = createMessageReader((error) => transport.onerror?.(error));
  const take = (chunk: Buffer): void => {
    try {
      for (const message of messages.read(chunk)) receive(message);
    } catch (error) {
      reject(error as Error);
    }
  };
  const transport: PipeTransport = {
    done,
    async start() {
      input.on('data', take);
      input.on('error', (cause) =>
        reject(new CictlError('machine', 'standard input cannot be read', { cause })),
      );
      input.on('end', () => {
        hasEnded = true;
        // The last message may lack the end of its line.
        take(Buffer.from('\n'));
        settle();
      });
      return Promise.resolve();
    },
    async send(message) {
      try {
        await write(serializeMessage(message));
      } catch (error) {
        reject(error as Error);
      }
      if (!('method' in message)) open.delete(message.id);
      settle();
    },
    close() {
      input.destroy();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}

function promiseParts() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
