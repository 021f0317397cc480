import { DryRun } from '../../api/dry-run.ts';
import type { Context } from '../../context.ts';
import { printRequest } from '../../render/print-request.ts';

/**
 * Under `--dry-run` prints the call that would be made at the local service at `url`, and throws
 * `DryRun` in its place; else nothing. `path` is without `/local/v1`.
 */
export async function showCall(
  context: Pick<Context, 'settings' | 'out' | 'secrets'>,
  url: string,
  [method, path, body]: readonly [method: string, path: string, body: object | undefined],
): Promise<void> {
  if (!context.settings.dryRun || method === 'GET') return;
  const text = body === undefined ? undefined : JSON.stringify(body);
  await printRequest({ method, url: `${url}/local/v1${path}`, body: text }, context);
  throw new DryRun();
}
