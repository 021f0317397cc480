/** Global setup for tests of the built tool: bundles it if a source has changed. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export async function setup(): Promise<void> {
  const script = join(import.meta.dirname, '../../scripts/build.js');
  await promisify(execFile)(process.execPath, [script, '--if-stale']);
}
