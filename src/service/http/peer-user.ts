/** Which user of this machine is at the other side of a connection. */
import { readFile } from 'node:fs/promises';

/** The ports of a connection over loopback, as the service sees them. */
export interface Connection {
  readonly localPort?: number;
  readonly remotePort?: number;
}

/** Linux alone says so. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/** False also where nobody knows. `read` gives the text of a table of connections. */
export async function isOtherUser(
  { localPort, remotePort }: Connection,
  read = readTable,
): Promise<boolean> {
  const lines = (await Promise.all(tables.map(read))).flatMap((text) => text.split('\n'));
  const [here, there] = [localPort, remotePort].map(hexadecimal);
  const own = userOf(lines, `:${here}`, `:${there}`);
  const other = userOf(lines, `:${there}`, `:${here}`);
  return own !== undefined && other !== undefined && own !== other;
}

const readTable = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const hexadecimal = (port = 0): string => port.toString(16).toUpperCase().padStart(4, '0');

/** Each side of a connection has a line: its own address and port, those of the other, and its user. */
function userOf(lines: readonly string[], from: string, to: string): string | undefined {
  for (const line of lines) {
    const [, local, remote, , , , , user] = line.trim().split(/\s+/);
    if (local?.endsWith(from) && remote?.endsWith(to)) return user;
  }
  return undefined;
}
