/** Who is signed in to the pages. All of it is in memory: sessions do not outlive the service. */
import { hashOf, newSecret } from '../secrets.ts';

/** For whom pages are made: a user, with all that they may, or with what one token of theirs may. */
export interface SessionUser {
  readonly userId: string;
  /** The token whose rights bound those of the session; it goes away with the token. */
  readonly tokenHash: string | undefined;
  /** Whether it reaches organizations that are newer than the token, too. */
  readonly reachesNewer?: boolean;
}

export interface Session extends SessionUser {
  /** What its forms carry. */
  readonly formToken: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

export interface Sessions {
  /** A code that works once, for a minute; `whenUsed` is called when it is. */
  createCode(user: SessionUser, whenUsed?: () => void): string;
  /** The secret of a new session; undefined where the code is none, was used, or is too old. */
  signIn(code: string): string | undefined;
  find(secret: string): Session | undefined;
  remove(secret: string): void;
}

/** Milliseconds. */
export const codeLife = 60_000;
export const sessionLife = 12 * 60 * 60 * 1000;

/** `now` in milliseconds. */
export function createSessions(now: () => number): Sessions {
  const codes = new Map<string, Code>();
  const sessions = new Map<string, Session>();
  return {
    createCode(user, whenUsed) {
      removeOld(codes, now());
      const code = newSecret('code');
      codes.set(hashOf(code), { user, whenUsed, until: now() + codeLife });
      return code;
    },
    signIn(code) {
      const found = codes.get(hashOf(code));
      codes.delete(hashOf(code));
      if (found === undefined || found.until <= now()) return undefined;
      found.whenUsed?.();
      removeOld(sessions, now());
      const secret = newSecret('session');
      const formToken = newSecret('form');
      sessions.set(hashOf(secret), { ...found.user, formToken, until: now() + sessionLife });
      return secret;
    },
    find(secret) {
      const session = sessions.get(hashOf(secret));
      return session !== undefined && session.until > now() ? session : undefined;
    },
    remove: (secret) => void sessions.delete(hashOf(secret)),
  };
}

interface Code {
  readonly user: SessionUser;
  readonly whenUsed: (() => void) | undefined;
  readonly until: number;
}

function removeOld(map: Map<string, { readonly until: number }>, now: number): void {
  for (const [key, { until }] of map) if (until <= now) map.delete(key);
}
