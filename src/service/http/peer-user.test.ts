import { expect, test } from 'vitest';
import { isOtherUser } from './peer-user.ts';

// Both sides of a connection from port 40001 (9C41) of user 1001 to port 8090 (1F9A) of user 1000.
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F9A 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1
   1: 0100007F:1F9A 0100007F:9C41 01 00000000:00000000 00:00000000 00000000  1000        0 2 1
   2: 0100007F:9C41 0100007F:1F9A 01 00000000:00000000 00:00000000 00000000  1001        0 3 1
`;
const connection = { localPort: 8090, remotePort: 40_001 };

const asked = (text = table, of: object = connection) =>
  isOtherUser(of, (path) => Promise.resolve(path.endsWith('6') ? text : ''));

test('the user at the other side of a connection is another one, or the own', async () => {
  expect(await asked()).toBe(true);
  expect(await asked(table.replace('1001', '1000'))).toBe(false);
});

test('where nobody knows the user it is the own', async () => {
  expect(await asked('')).toBe(false);
  expect(await asked(table.replace(/ +1: .*\n/, ''))).toBe(false);
  expect(await asked(table, { localPort: 8090, remotePort: 40_002 })).toBe(false);
  expect(await asked(table, {})).toBe(false);
});
