import { ApiError, type FieldError } from '../http/api-error.ts';
import type { Call } from '../http/route.ts';
import type { Session } from './sessions.ts';
import { hashOf } from '../secrets.ts';
import type { PageResult } from './page-call.ts';

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

interface SentForm {
  readonly session: Session;
  /** Where it was sent. */
  readonly path: string;
  readonly form: URLSearchParams;
}

type Act = () => PageResult | Promise<PageResult>;

/** Forms that a session is known to have sent; what comes once more after so many acts again. */
const mostForms = 100;

/**
 * Does what a form asks for once, however often it is sent: a second click, or a page that is loaded again, gets
 * where the first one led. The same form is one with the same value `once`, place and texts; without `once` each
 * is another. What led nowhere else, as it was refused, is done again.
 */
export function createSentForms() {
  const known = new WeakMap<Session, Map<string, Promise<PageResult>>>();
  return ({ session, path, form }: SentForm, act: Act): Promise<PageResult> => {
    if (!form.get('once')) return begun(act);
    const sent = known.get(session) ?? new Map<string, Promise<PageResult>>();
    known.set(session, sent);
    return remembered(sent, hashOf(`${path}\n${form.toString()}`), act);
  };
}

function remembered(
  sent: Map<string, Promise<PageResult>>,
  key: string,
  act: Act,
): Promise<PageResult> {
  const before = sent.get(key);
  if (before !== undefined) return before;
  const result = begun(act);
  sent.set(key, result);
  for (const [oldest] of sent) if (sent.size > mostForms) sent.delete(oldest);
  const remove = (): void => void sent.delete(key);
  result.then((made) => 'location' in made || remove(), remove);
  return result;
}

const begun = async (act: Act): Promise<PageResult> => act();

export interface Problems {
  /** Of the page that says them. */
  readonly status: number;
  /** A sentence each. */
  readonly problems: readonly string[];
}

/**
 * Why something that was typed was refused, or cannot be written down right now: it stays on the page.
 * Rethrows what is neither.
 */
export function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError) || !kept.has(error.status)) throw error;
  const { errors, message, status } = error;
  const problems = errors.length === 0 ? [message] : errors.map(sentence);
  return { status: status === 400 ? 422 : status, problems };
}

const kept: ReadonlySet<number> = new Set([400, 422, 507]);

const sentence = ({ field, code, message }: FieldError): string =>
  message ??
  `${field} ${{ missing: 'is missing', invalid: 'is invalid', too_long: 'is too long' }[code]}`;

// `NAME=VALUE` a line, as forms take them.

interface PairLines {
  readonly pairs: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** Browsers send CRLF for a line break. */
export const linesText = (text: string | null): string => (text ?? '').replace(/\r\n?/g, '\n');

/** Empty lines count for nothing; of a name that comes twice neither is dropped in silence. */
export function pairsOfLines(text: string, what: string): PairLines {
  const pairs = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(at, 0)).trim();
    const where = `${what}, line ${index + 1}`;
    if (name === '') problems.push(`${where}: NAME=VALUE is expected`);
    else if (pairs.has(name)) problems.push(`${where}: ${name} is there twice`);
    else pairs.set(name, line.slice(at + 1));
  }
  // A name may be `__proto__`.
  return { pairs: Object.fromEntries(pairs), problems };
}
