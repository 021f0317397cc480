/** The cookie of a session. Browsers share cookies among the ports of a host: each service has its own name. */

/** What the browser stores for a session. `maxAge` in seconds; 0 removes it. */
export const sessionCookie = (port: number, secret: string, maxAge: number): string =>
  `${nameOf(port)}=${secret}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;

/** The secret that the header `Cookie` carries for this port. */
export function readSessionCookie(port: number, header = ''): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === nameOf(port))?.[1];
}

const nameOf = (port: number): string => `cictl_session_${port}`;
