import type { Resource } from '../api/resources/resource.ts';
import { usageError } from '../errors.ts';
import { checkFields } from './fields.ts';
import type { OutputSettings } from './printing.ts';

/**
 * Throws `CictlError` of kind `usage` for `--fields` and `--jq` that cannot work, before anything
 * is sent. Without a resource there is nothing that `--fields` could select from.
 */
export async function checkSettings(
  { fields, jq }: OutputSettings,
  resource: Resource | undefined,
): Promise<void> {
  if (fields !== undefined) {
    if (resource === undefined) throw usageError('--fields does not apply to this command');
    checkFields(resource, fields);
  }
  if (jq !== undefined) await (await import('./jq.ts')).checkJq(jq);
}
