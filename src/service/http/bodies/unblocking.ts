/** The body of "unblock a job" (specification, "Jobs"). */
import type { ServiceContext } from '../../service-context.ts';
import type { Organization } from '../../domain/records.ts';
import type { FieldValues, Unblocking } from '../../domain/unblock.ts';
import { refused } from '../api-error.ts';
import type { Caller } from '../route.ts';
import { hasNul, isObject, objectOf, bodyReader, withoutNul } from '../body-reader.ts';

/** Throws `ApiError` 422, also where the unblocker is nobody of the organization. */
export function readUnblocking(
  { store }: ServiceContext,
  organization: Organization,
  caller: Caller,
  body: unknown,
): Unblocking {
  const members = bodyReader(objectOf(body));
  const unblocker = members.text('unblocker');
  const fields = readFields(members.object('fields') ?? {});
  if (Object.entries(fields).flat(2).some(hasNul))
    members.addError({ field: 'fields', code: 'invalid', message: withoutNul('fields') });
  members.done();
  if (unblocker !== undefined && store.accounts.role(unblocker, organization.id) === undefined)
    throw refused('Unblocker is not a valid user id for this organization');
  return { userId: unblocker ?? caller.user?.id ?? null, fields };
}

/** Values are texts or, where several are chosen, arrays of them. */
const readFields = (fields: Readonly<Record<string, unknown>>): FieldValues =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && !isObject(value))
      .map(([key, value]) => [key, Array.isArray(value) ? value.map(String) : String(value)]),
  );
