import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeShim } from './shim.ts';

test('the shim runs the launcher with its arguments, from any PATH', async () => {
  const folder = mkdtempSync(join(tmpdir(), "cictl's shim-"));
  try {
    const launcher = join(folder, 'launcher.js');
    writeFileSync(launcher, 'process.stdout.write(JSON.stringify(process.argv.slice(2)))');
    const shims = join(folder, 'bin');
    const path = await writeShim(shims, { launcher });
    expect(await writeShim(shims, { launcher })).toBe(path);
    const output = execFileSync(path, ['a b', '', '$x'], { env: {}, encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual(['a b', '', '$x']);
    expect(readdirSync(shims)).toEqual(['buildkite-agent', 'cictl']);
    expect(statSync(shims).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('defaults to this package', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-shim-'));
  try {
    const output = execFileSync(await writeShim(folder), ['--version'], { encoding: 'utf8' });
    expect(output).toMatch(/\d+\.\d+\.\d+/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
