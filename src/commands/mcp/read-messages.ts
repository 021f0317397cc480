import { deserializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { usageError } from '../../errors.ts';

/** Bytes of a message. */
const longest = 10 * 1024 * 1024;

export interface MessageReader {
  /** The messages that are whole now; code 2 for one that has become too long. */
  read(chunk: Buffer): Generator<JSONRPCMessage>;
}

/** Reads messages, a line each, from bytes as they come. What is no message goes to `report`. */
export function createMessageReader(report: (error: Error) => void): MessageReader {
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
