import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import { missingSecrets } from '../../service/scheduler/missing-secrets.ts';

type Values = Readonly<Record<string, string>>;

/**
 * Names of the secrets that the service keeps, without their values, where steps ask for more than
 * was `given`. A data folder is not made for that.
 */
export async function keptSecrets(
  { steps }: Plan,
  given: Values,
  context: Context,
): Promise<Values> {
  if (missingSecrets(steps, given).length === 0) return {};
  if (!existsSync(join(dataDir(context.env), 'service.db'))) return {};
  const { withService } = await import('../local/with-service.ts');
  const list = await withService(context, (call) => call('GET', '/organizations/local/secrets'));
  return Object.fromEntries((list as { key: string }[]).map(({ key }) => [key, '']));
}
