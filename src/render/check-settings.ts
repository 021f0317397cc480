import type { Resource } from '../api/resources/resource.ts';
import { usageError } from '../errors.ts';
import { checkFields, selectFields } from './fields.ts';
import type { OutputSettings } from './print-context.ts';

/**
 * Throws `CictlError` of kind `usage` for `--fields` and `--jq` that cannot work, before anything
 * is sent. Without a resource there is nothing that `--fields` could select from. Before a change
 * (`mutates`), a name has to be one of the specification.
 */
export async function checkSettings(
  { fields, jq }: OutputSettings,
  resource: Resource | undefined,
  { mutates = false }: { readonly mutates?: boolean | undefined } = {},
): Promise<void> {
  if (fields !== undefined) {
    if (resource === undefined) throw usageError('--fields does not apply to this command');
    // What a service sends may have members that are not described; only its response shows.
    const isOpen = resource.identity !== undefined && !mutates;
    (isOpen ? selectFields : checkFields)(resource, fields);
  }
  if (jq !== undefined) await (await import('./jq.ts')).checkJq(jq);
}
