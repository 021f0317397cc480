/** The flags of `local up` about the address for agents, as the service takes them. */
import { usageError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import type { AgentAddress } from '../../service/reach.ts';
import { readFileText } from '../read-value.ts';
import { parseHostAndPort } from './host-and-port.ts';
import { parsePublicUrl } from './public-url.ts';

export interface AddressFlags {
  readonly listen: string | undefined;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly insecureListen: boolean;
  readonly publicUrl: string | undefined;
}

/** Code 2 for what makes no sense or would send tokens in the clear; code 10 for files that cannot be read. */
export async function agentAddress(
  flags: AddressFlags,
  context: Pick<Context, 'cwd'>,
): Promise<AgentAddress | undefined> {
  const { listen, publicUrl } = flags;
  if (listen === undefined) {
    checkNothingElse(flags);
    return undefined;
  }
  const where = parseHostAndPort(listen);
  const known = publicUrl === undefined ? undefined : parsePublicUrl(publicUrl);
  const tls = await readTls(flags, context);
  const { isLoopback } = await import('../../service/http/hosts.ts');
  if (tls === undefined && !flags.insecureListen && !isLoopback(where.host))
    throw usageError(
      `--listen ${listen} is open to other machines, and without TLS anybody on the way reads tokens and logs`,
      '--tls-cert FILE --tls-key FILE, or --insecure-listen where the network is trusted',
    );
  return { ...where, ...(tls && { tls }), ...(known !== undefined && { publicUrl: known }) };
}

function checkNothingElse({ tlsCert, tlsKey, insecureListen, publicUrl }: AddressFlags): void {
  const given = {
    '--tls-cert': tlsCert !== undefined,
    '--tls-key': tlsKey !== undefined,
    '--insecure-listen': insecureListen,
    '--public-url': publicUrl !== undefined,
  };
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
  if (flag !== undefined)
    throw usageError(`${flag} says more about --listen HOST:PORT, which is missing`);
}

async function readTls(
  { tlsCert, tlsKey }: AddressFlags,
  context: Pick<Context, 'cwd'>,
): Promise<AgentAddress['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw usageError('--tls-cert and --tls-key go together');
  const cert = await readFileText(tlsCert, context);
  const key = await readFileText(tlsKey, context);
  const { tlsProblem } = await import('../../service/http/tls-problem.ts');
  const problem = tlsProblem({ cert, key });
  if (problem === undefined) return { cert, key };
  throw usageError(`--tls-cert ${tlsCert} --tls-key ${tlsKey}: ${problem}`);
}
