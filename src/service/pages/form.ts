import { ApiError } from '../http/api-error.ts';
import type { Call } from '../http/route.ts';
import type { Session } from './sessions.ts';

/** Bytes: room for a message and its environment. */
const maxSize = 1024 * 1024;

/**
 * What a form of a session's page sent. Throws `ApiError` 403 where it has not the token of that session, 413 where it
 * is too large, 415 where it is no form.
 */
export async function readForm(
  call: Call,
  { formToken }: Pick<Session, 'formToken'>,
): Promise<URLSearchParams> {
  const form = new URLSearchParams((await readBody(call)).toString());
  if (form.get('form_token') !== formToken)
    throw new ApiError(403, 'This form is of another session: load its page again');
  return form;
}

async function readBody(call: Call): Promise<Buffer> {
  const type = call.header('content-type');
  if (type !== undefined && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new ApiError(415, 'Only forms can be sent here');
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of call.content()) {
    size += part.byteLength;
    if (size > maxSize) throw new ApiError(413, 'The form is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
