import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openJobLog } from './job-log.ts';

test.skipIf(!existsSync('/dev/full'))('a full disk is called by what it keeps out', async () => {
  const log = openJobLog('/dev/full', [], () => 0);
  await expect(log.line('one')).rejects.toThrow(/^its log cannot be written: ENOSPC: /);
  await log.close();
});
