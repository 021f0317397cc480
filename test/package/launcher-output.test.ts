/** Messages of the launcher itself, written to a descriptor that accepts them in parts. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtCictl as cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

test('prints completely to slow readers', async () => {
  const home = await useHome();
  const script = join(home.root, 'pieces.cjs');
  await writeFile(
    script,
    `const fs = require('node:fs');
    const { writeSync } = fs;
    let calls = 0;
    fs.writeSync = (descriptor, bytes, offset) => {
      calls += 1;
      if (calls === 3) throw Object.assign(new Error('later'), { code: 'EAGAIN' });
      return writeSync(descriptor, bytes, offset, Math.min(7, bytes.length - offset));
    };
    process.on('exit', () => {
      if (calls !== 3) process.exitCode = 99;
    });`,
  );
  const whole = await cictl(['--help'], { home });
  const env = { NODE_OPTIONS: `--require=${script}` };
  expect(await cictl(['--help'], { home, env })).toEqual(whole);
  expect(whole.stdout.length).toBeGreaterThan(100);
});
