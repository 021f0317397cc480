import { expect, test } from 'vitest';
import { isAgentOfOtherUser, isOtherUser } from './authenticate.ts';

// Both sides of a connection from port 40001 (9C41) of user 1001 to port 8090 (1F9A) of user 1000.
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F9A 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1
   1: 0100007F:1F9A 0100007F:9C41 01 00000000:00000000 00:00000000 00000000  1000        0 2 1
   2: 0100007F:9C41 0100007F:1F9A 01 00000000:00000000 00:00000000 00000000  1001        0 3 1
`;
const connection = { localPort: 8090, remotePort: 40_001 };

const asked = (text = table, of: object = connection) =>
  isOtherUser(of, (path) => Promise.resolve(path.endsWith('6') ? text : ''));

test('tells connections of the same user from those of other users', async () => {
  expect(await asked()).toBe(true);
  expect(await asked(table.replace('1001', '1000'))).toBe(false);
});

test('the user is unknown unless both ends of the connection exist', async () => {
  expect(await asked('')).toBeUndefined();
  expect(await asked(table.replace(/ +1: .*\n/, ''))).toBeUndefined();
  expect(await asked(table, { localPort: 8090, remotePort: 40_002 })).toBeUndefined();
  expect(await asked(table, {})).toBeUndefined();
  expect(await asked(table.replace('1001        0 3', '0        0 0'))).toBeUndefined();
});

test('does not confuse connections with equal ports and different addresses', async () => {
  const decoy = table.replace(' 2: 0100007F', ' 2: 0500000A').replace('1001', '1000');
  expect(await asked(decoy.replaceAll(/^.*sl.*\n/gm, '') + table)).toBe(true);
});

test.each([
  ['the same user', { self: 1000, 77: 1000 }, 77, false],
  ['another user', { self: 1000, 77: 1001 }, 77, true],
  ['a process that is not visible', { self: 1000 }, 77, true],
  ['no process ID', { self: 1000 }, null, undefined],
  ['no /proc', {}, 77, undefined],
])('finds the user of an agent by its process: %s', async (_, owners, pid, expected) => {
  const ownerOf = (process: string) =>
    Promise.resolve((owners as Record<string, number | undefined>)[process]);
  expect(await isAgentOfOtherUser(pid, ownerOf)).toBe(expected);
});
