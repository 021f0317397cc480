import type { Handler } from '../../cli/command.ts';
import { readProfiles } from '../../config/profiles.ts';
import type { profileList } from './list.ts';
import { profile, shown } from './resource.ts';

/** `cictl profile list`. */
export const run: Handler<typeof profileList> = async (_input, { env, out }) => {
  const { current, profiles } = readProfiles(env);
  const rows = [...profiles].map(([name, stored]) => shown(name, stored, current));
  await out.list(profile, rows, { empty: 'no profiles; cictl auth login makes one' });
};
