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
  connection: Connection,
  own = process.getuid?.(),
  read = readTable,
): Promise<boolean> {
  const texts = await Promise.all(tables.map(read));
  const user = texts.map((text) => userOf(text, connection)).find((found) => found !== undefined);
  return own !== undefined && user !== undefined && user !== own;
}

const readTable = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** The line of the other side: its own port is our remote one. */
function userOf(text: string, { localPort, remotePort }: Connection): number | undefined {
  const [here, there] = [localPort, remotePort].map(hexadecimal);
  for (const line of text.split('\n')) {
    const [, from = '', to = '', , , , , user] = line.trim().split(/\s+/);
    if (from.endsWith(`:${there}`) && to.endsWith(`:${here}`)) return Number(user);
  }
  return undefined;
}

const hexadecimal = (port = 0): string => port.toString(16).toUpperCase().padStart(4, '0');
