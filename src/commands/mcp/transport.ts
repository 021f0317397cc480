/** Messages of the protocol over two pipes, a line each. */
import type { Readable } from 'node:stream';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { CictlError, usageError } from '../../errors.ts';

export interface PipeTransport extends Transport {
  /** Resolves when the input has ended and every request in it has its answer. */
  readonly done: Promise<void>;
}

/** Bytes of a message. */
const longest = 10 * 1024 * 1024;

/** `write` resolves when the other side has taken the text. */
export function pipeTransport(
  input: Readable,
  write: (text: string) => Promise<void>,
): PipeTransport {
  const buffer = new ReadBuffer({ maxBufferSize: longest });
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
  const transport: PipeTransport = {
    done,
    async start() {
      input.on('data', (chunk: Buffer) => {
        try {
          buffer.append(chunk);
        } catch {
          reject(usageError('a message on standard input is longer than 10 MiB'));
          return;
        }
        for (const message of messagesIn(buffer, (error) => transport.onerror?.(error)))
          receive(message);
      });
      input.on('error', (cause) =>
        reject(new CictlError('machine', 'standard input cannot be read', { cause })),
      );
      input.on('end', () => {
        hasEnded = true;
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

/** Those that are whole; what is no message is reported and left out. */
function* messagesIn(
  buffer: ReadBuffer,
  report: (error: Error) => void,
): Generator<JSONRPCMessage> {
  for (;;) {
    try {
      const message = buffer.readMessage();
      if (message === null) return;
      yield message;
    } catch (error) {
      report(error as Error);
    }
  }
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
