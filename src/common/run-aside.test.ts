import { expect, test } from 'vitest';
import { runAside } from './run-aside.ts';

test('runs a program in its own session, which Ctrl-C does not reach', async () => {
  const text = await runAside('sh', ['-c', 'ps -o sid= -p $$; echo $$'], '/');
  const [session, own] = text.trim().split(/\s+/);
  expect(session).toBe(own);
});

test.each([
  ['sh', ['-c', 'echo one >&2; echo "two " >&2; exit 3'], 'two'],
  ['sh', ['-c', 'exit 3'], 'sh failed'],
  ['/does/not/exist', [], 'cannot run /does/not/exist'],
])('%s %j fails with its last line', async (file, args, reason) => {
  await expect(runAside(file, args, '/')).rejects.toThrow(new RegExp(`^${reason}$`));
});
