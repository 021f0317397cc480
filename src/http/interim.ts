import type { Socket } from 'node:net';

/**
 * Makes a connection skip interim answers such as an unasked `100 Continue` (RFC 9110, 15.2): undici
 * breaks the connection at one. `101` is left for it, since that ends the talk in HTTP.
 */
export function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean;
  let isAwaited = false;
  let held = Buffer.alloc(0);

  /** What follows the interim heads; undefined where more is needed to tell. */
  function rest(chunk: Buffer): Buffer | undefined {
    held = Buffer.concat([held, chunk]);
    while (isInterim(held)) {
      const end = held.indexOf('\r\n\r\n');
      if (held.length < startLength || end < 0) return undefined;
      held = held.subarray(end + 4);
    }
    isAwaited = false;
    const whole = held;
    held = Buffer.alloc(0);
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

/** Whether bytes are, or may become, the head of an interim answer. */
function isInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, startLength);
  const pattern = 'HTTP/1._ 1__';
  for (let at = 0; at < start.length; at++) {
    const [expected, char] = [pattern.charAt(at), start.charAt(at)];
    if (expected === '_' ? !/\d/.test(char) : char !== expected) return false;
  }
  return !start.endsWith(' 101');
}
