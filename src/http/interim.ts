import type { Socket } from 'node:net';

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
