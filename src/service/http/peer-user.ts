/** Which user of this machine is at the other side of a connection. */
import { readFile, stat } from 'node:fs/promises';

/** The ports of a connection over loopback, as the service sees them. */
export interface Connection {
  readonly localPort?: number;
  readonly remotePort?: number;
}

/** Linux alone says so. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Undefined if it is not known. `read` returns the text of a table of connections. */
export async function isOtherUser(
  { localPort, remotePort }: Connection,
  read = readTable,
): Promise<boolean | undefined> {
  const lines = (await Promise.all(tables.map(read))).flatMap((text) => text.split('\n'));
  const [here, there] = [localPort, remotePort].map(hexadecimal);
  const own = userOf(lines, `:${here}`, `:${there}`);
  const other = userOf(lines, `:${there}`, `:${here}`);
  return own === undefined || other === undefined ? undefined : own !== other;
}

/**
 * Whether an agent on this machine, by the process ID that it registered with, belongs to another user. A process that
 * is not visible here runs in a container or is hidden. Returns undefined where `/proc` is missing. An agent that
 * lies gains nothing: the result only decides whether it clones the directory itself or a snapshot over HTTP.
 */
export async function isAgentOfOtherUser(
  pid: number | null,
  ownerOf = processOwner,
): Promise<boolean | undefined> {
  const own = await ownerOf('self');
  if (own === undefined || pid === null) return undefined;
  return (await ownerOf(String(pid))) !== own;
}

const processOwner = (id: string): Promise<number | undefined> =>
  stat(`/proc/${id}`).then(
    ({ uid }) => uid,
    () => undefined,
  );

const readTable = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const hexadecimal = (port = 0): string => port.toString(16).toUpperCase().padStart(4, '0');

/**
 * Each side of a connection has a line: its own address and port, the other address and port, and its user. A
 * side that has closed its socket has no inode, and its user is reported as root.
 */
function userOf(lines: readonly string[], from: string, to: string): string | undefined {
  for (const line of lines) {
    const [, local = '', remote = '', , , , , user, , inode] = line.trim().split(/\s+/);
    if (isLoopback(local, from) && isLoopback(remote, to)) return inode === '0' ? undefined : user;
  }
  return undefined;
}

/** 127.0.0.1, also as an IPv6 address, in either byte order. */
const isLoopback = (address: string, port: string): boolean =>
  address.endsWith(`0100007F${port}`) || address.endsWith(`7F000001${port}`);
