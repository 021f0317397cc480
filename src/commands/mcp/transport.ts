/** Messages of the protocol over two pipes, a line each. */
import type { Readable } from 'node:stream';
import { serializeMessage, deserializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { CictlError, usageError } from '../../errors.ts';

interface PipeTransport extends Transport {
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

/** Bytes of a message. */
const longest = 10 * 1024 * 1024;

interface MessageReader {
  /** The messages that are whole now; code 2 for one that has become too long. */
  read(chunk: Buffer): Generator<JSONRPCMessage>;
}

/** Reads messages, a line each, from bytes as they come. What is no message goes to `report`. */
function createMessageReader(report: (error: Error) => void): MessageReader {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > longest) throw usageError('a message on standard input is longer than 10 MiB');
    parts.push(part);
  };
  const line = (): string => {
    const text = Buffer.concat(parts).toString();
    [parts, size] = [[], 0];
    return text;
  };
  return {
    *read(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        add(chunk.subarray(start, end));
        start = end + 1;
        const message = messageOf(line(), report);
        if (message !== undefined) yield message;
      }
      add(chunk.subarray(start));
    },
  };
}

const newline = 0x0a;

function messageOf(line: string, report: (error: Error) => void): JSONRPCMessage | undefined {
  if (line.trim() === '') return undefined;
  try {
    return deserializeMessage(line);
  } catch (error) {
    report(error as Error);
    return undefined;
  }
}
