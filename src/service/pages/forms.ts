import { readAtMost } from '../http/body-reader.ts';
import { ApiError, type FieldError } from '../http/api-error.ts';
import type { Call } from '../http/route.ts';
import type { Session } from './sessions.ts';
import { hashOf } from '../secrets.ts';
import type { PageResult } from './page-call.ts';

/** In bytes. */
const maxSize = 1024 * 1024;

/** Throws `ApiError`: 403 without the form token, 413 if too large, 415 for other content types. */
export async function readForm(
  call: Call,
  { formToken }: Pick<Session, 'formToken'>,
): Promise<URLSearchParams> {
  const type = call.header('content-type');
  if (type !== undefined && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new ApiError(415, 'Only form submissions are accepted here');
  const body = await readAtMost(call.content(), maxSize);
  if (body === undefined) throw new ApiError(413, 'The form is too large');
  const form = new URLSearchParams(body.toString());
  if (form.get('form_token') !== formToken)
    throw new ApiError(403, 'This form belongs to another session: reload the page');
  return form;
}

/** Maximum number of forms to remember per session. */
const mostForms = 100;

/**
 * Handles a form only once, even if it is sent several times. After a double click or a reload, the
 * browser gets the first result. Forms are identified by their `once` value, path and content. If a
 * form was rejected (no redirect), it can be sent again.
 */
export function createSentForms() {
  const sentBySession = new WeakMap<Session, Map<string, Promise<PageResult>>>();
  return (
    { session, path, form }: { session: Session; path: string; form: URLSearchParams },
    handle: () => PageResult | Promise<PageResult>,
  ): Promise<PageResult> => {
    const begin = async (): Promise<PageResult> => handle();
    if (!form.get('once')) return begin();
    const sent = sentBySession.get(session) ?? new Map<string, Promise<PageResult>>();
    sentBySession.set(session, sent);
    const key = hashOf(`${path}\n${form.toString()}`);
    const before = sent.get(key);
    if (before !== undefined) return before;
    const result = begin();
    sent.set(key, result);
    for (const [oldest] of sent) if (sent.size > mostForms) sent.delete(oldest);
    const remove = (): void => void sent.delete(key);
    result.then((made) => 'location' in made || remove(), remove);
    return result;
  };
}

export interface Problems {
  /** HTTP status of the page. */
  readonly status: number;
  readonly problems: readonly string[];
}

/** Returns the problems to show next to the form if the API rejected it. Rethrows other errors. */
export function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError) || ![400, 422, 507].includes(error.status)) throw error;
  const { errors, message, status } = error;
  const problems = errors.length === 0 ? [message] : errors.map(sentence);
  return { status: status === 400 ? 422 : status, problems };
}

const sentence = ({ field, code, message }: FieldError): string =>
  message ??
  `${field} ${{ missing: 'is missing', invalid: 'is invalid', too_long: 'is too long' }[code]}`;

/** Converts line endings, because browsers send CRLF. */
export const linesText = (text: string | null): string => (text ?? '').replace(/\r\n?/g, '\n');

/** Parses one `NAME=VALUE` per line. */
export function pairsOfLines(text: string, what: string) {
  const pairs = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(at, 0)).trim();
    const where = `${what}, line ${index + 1}`;
    if (name === '') problems.push(`${where}: must be NAME=VALUE`);
    else if (pairs.has(name)) problems.push(`${where}: ${name} is a duplicate`);
    else pairs.set(name, line.slice(at + 1));
  }
  // `fromEntries` even handles a name such as `__proto__` safely.
  return { pairs: Object.fromEntries(pairs), problems };
}
