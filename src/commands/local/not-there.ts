import { CictlError } from '../../errors.ts';

/**
 * For the rejection of a call: names what the service did not find, where that is what was asked
 * for and not its organization. `hint` is the command that lists what is there.
 */
export const notThere =
  (what: string, name: string, hint: string) =>
  (error: unknown): never => {
    const isIt = error instanceof CictlError && error.kind === 'not_found';
    if (!isIt || error.message.includes('organization')) throw error;
    throw new CictlError('not_found', `no ${what} ${JSON.stringify(name)}`, { status: 404, hint });
  };
