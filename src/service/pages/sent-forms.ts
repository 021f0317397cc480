import { hashOf } from '../secrets.ts';
import type { PageResult } from './page-call.ts';
import type { Session } from './sessions.ts';

export interface SentForm {
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
