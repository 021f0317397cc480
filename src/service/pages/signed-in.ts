/** Who is signed in: what a request's cookie says, as of now. */
import type { Call, Caller } from '../http/route.ts';
import type { ServiceContext } from '../service-context.ts';
import { readSessionCookie } from './cookie.ts';
import { sessionCaller } from './session-caller.ts';
import type { Session, Sessions } from './sessions.ts';

export interface SignedIn {
  readonly session: Session;
  readonly caller: Caller;
  /** Whether it has ended since. */
  isOver(): boolean;
  signOut(): void;
}

/** Undefined where nobody is: no session, or one whose user or token has gone. */
export function signedIn(
  { service, sessions, port }: { service: ServiceContext; sessions: Sessions; port: number },
  call: Call,
): SignedIn | undefined {
  const secret = readSessionCookie(port, call.header('cookie')) ?? '';
  const look = () => {
    const session = sessions.find(secret);
    const caller = session && sessionCaller(service, session);
    return session && caller && { session, caller };
  };
  const found = look();
  return (
    found && {
      ...found,
      isOver: () => look() === undefined,
      signOut: () => sessions.remove(secret),
    }
  );
}
