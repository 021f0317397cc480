/** The host of an address is not used; where it is another profile's, the user should know. */
import type { Context } from '../context.ts';
import type { ParsedTarget } from './parse-reference.ts';

/** Notes in one line that requests go to the chosen profile, though another one has that host. */
export function reportOtherHost(
  { settings, messages }: Pick<Context, 'settings' | 'messages'>,
  { host }: ParsedTarget,
): void {
  if (host === undefined || hasHost([settings.baseUrl, settings.graphqlUrl], host)) return;
  const other = settings.otherProfiles.find(({ addresses }) => hasHost(addresses, host));
  if (other === undefined) return;
  const chosen = settings.profile === undefined ? '' : ` (profile ${settings.profile})`;
  messages.note(
    `requests go to ${settings.baseUrl}${chosen}; ${host} is of profile ${other.name}: --profile ${other.name}`,
  );
}

/** Web addresses are on the host itself, the APIs of the public service on `api.` and others. */
const hasHost = (addresses: readonly string[], host: string): boolean =>
  addresses.some((address) => {
    const own = new URL(address).host;
    return own === host || (own.endsWith(`.${host}`) && own.split('.')[0] === 'api');
  });
