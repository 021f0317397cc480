import { resolve } from 'node:path';
import type { Input } from '../../command/command.ts';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { sizeOf } from '../../parse/flag-values.ts';
import { keepForms, parseKeep } from '../../service/pruner.ts';
import type { ServiceOptions } from '../../service/service.ts';
import type { AgentAddress } from '../../service/urls.ts';
import { readFileText } from '../read-value.ts';
import type { localUp } from './index.ts';

type UpInput = Input<typeof localUp>;

/** Exit code 2 if a flag of `local up` has an invalid value. */
export function checkUp(input: UpInput): void {
  const { port, rateLimit, keep, slots, tags, heartbeat, expireAfter, maxLog } = input;
  if (keep !== undefined && keep !== 'all') checkKeep(keep);
  checkNumber('--port', port, 0, 65_535);
  checkNumber('--slots', slots, 0, 1000);
  checkNumber('--heartbeat', heartbeat, 1, 3600);
  if (expireAfter !== undefined && expireAfter < 1000)
    throw usageError('--expire-after must be at least 1s');
  if (maxLog !== undefined && sizeOf(maxLog) === undefined)
    throw usageError(
      `--max-log must be a size such as 10MB or 1GiB, not ${JSON.stringify(maxLog)}`,
    );
  if (rateLimit !== undefined && rateLimit < 1)
    throw usageError(`--rate-limit must be at least 1, not ${rateLimit}`);
  slotTags(tags);
}

function checkNumber(flag: string, value: number | undefined, from: number, to: number): void {
  if (value !== undefined && (value < from || value > to))
    throw usageError(`${flag} must be between ${from} and ${to}, not ${value}`);
}

export function checkKeep(keep: string): void {
  if (parseKeep(keep) === undefined)
    throw usageError(`--keep must be ${keepForms}, not ${JSON.stringify(keep)}`);
}

/** The flags for the background process, whose working directory is different. */
export function startFlags(input: UpInput, cwd: string): string[] {
  const { port, rateLimit, keep, slots, tags, listen, tlsCert, tlsKey, publicUrl, maxLog } = input;
  const { heartbeat, expireAfter } = input;
  const values = {
    ...{ '--port': port, '--rate-limit': rateLimit, '--keep': keep, '--slots': slots },
    '--heartbeat': heartbeat,
    '--expire-after': expireAfter === undefined ? undefined : `${expireAfter}ms`,
    ...{ '--listen': listen, '--public-url': publicUrl, '--max-log': maxLog },
    '--tls-cert': tlsCert && resolve(cwd, tlsCert),
    '--tls-key': tlsKey && resolve(cwd, tlsKey),
  };
  return [
    ...Object.entries(values).flatMap(([flag, value]) =>
      value === undefined ? [] : [flag, String(value)],
    ),
    ...tags.flatMap((text) => ['--tags', text]),
    ...(input.insecureListen ? ['--insecure-listen'] : []),
  ];
}

/** `null` keeps all builds. */
export const keepOf = (keep: string): string | null => (keep === 'all' ? null : keep);

/** Also reads the files with the TLS certificate and its key. */
export async function serviceOptions(input: UpInput, context: Context): Promise<ServiceOptions> {
  const { port, rateLimit, keep, slots, heartbeat, expireAfter, maxLog } = input;
  const tags = slotTags(input.tags);
  const listen = await agentAddress(input, context);
  return {
    ...{ dataDir: dataDir(context.env), ownsProcess: true, isConfined: true },
    ...(port !== undefined && { port }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(keep !== undefined && { keep: keepOf(keep) }),
    ...(slots !== undefined && { slots }),
    ...(heartbeat !== undefined && { heartbeat }),
    ...(expireAfter !== undefined && { expireAfter }),
    ...(tags && { tags }),
    maxLog: maxLog === undefined ? undefined : sizeOf(maxLog),
    ...(listen && { listen }),
  };
}

/**
 * The tags from a flag such as `--tags queue=default,os=linux`. Undefined if the flag is not given.
 * If no queue is given, it is `default`.
 */
function slotTags(given: readonly string[]): string[] | undefined {
  if (given.length === 0) return undefined;
  const tags = given
    .flatMap((text) => text.split(','))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const wrong = tags.find((tag) => !/^[^=]+=./.test(tag));
  if (wrong !== undefined)
    throw usageError(`--tags must be KEY=VALUE,KEY=VALUE, not ${JSON.stringify(wrong)}`);
  const unique = [...new Set(tags)];
  return unique.some((tag) => tag.startsWith('queue=')) ? unique : ['queue=default', ...unique];
}

/**
 * The address for agents on other machines. Exit code 2 if the flags are invalid or would send
 * tokens unencrypted, 10 if a file cannot be read.
 */
export async function agentAddress(
  { listen, publicUrl, ...flags }: UpInput,
  context: Pick<Context, 'cwd'>,
): Promise<AgentAddress | undefined> {
  const { tlsCert, tlsKey, insecureListen } = flags;
  if (listen === undefined) {
    const given = {
      '--tls-cert': tlsCert !== undefined,
      '--tls-key': tlsKey !== undefined,
      '--insecure-listen': insecureListen,
      '--public-url': publicUrl !== undefined,
    };
    const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
    if (flag === undefined) return undefined;
    throw usageError(`${flag} requires --listen HOST:PORT`);
  }
  const address = parseHostAndPort(listen);
  const url = publicUrl === undefined ? undefined : parsePublicUrl(publicUrl);
  const tls = await readTls(tlsCert, tlsKey, context);
  const { isLoopback } = await import('../../service/http/reach.ts');
  if (tls === undefined && !insecureListen && !isLoopback(address.host))
    throw usageError(
      `--listen ${listen} without TLS lets anyone on the network read tokens and logs`,
      `cictl local up --listen ${listen} --tls-cert FILE --tls-key FILE`,
    );
  return { ...address, ...(tls && { tls }), ...(url !== undefined && { publicUrl: url }) };
}

async function readTls(
  tlsCert: string | undefined,
  tlsKey: string | undefined,
  context: Pick<Context, 'cwd'>,
): Promise<AgentAddress['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw usageError('--tls-cert and --tls-key must be used together');
  const cert = await readFileText(tlsCert, context);
  const key = await readFileText(tlsKey, context);
  const { tlsProblem } = await import('../../service/http/tls-problem.ts');
  const problem = tlsProblem({ cert, key });
  if (problem === undefined) return { cert, key };
  throw usageError(`--tls-cert ${tlsCert} --tls-key ${tlsKey}: ${problem}`);
}

/** Accepts `0.0.0.0:8443`, `[::]:8443` and `ci.lan:8443`. Port 0 means any free port. */
function parseHostAndPort(text: string): { host: string; port: number } {
  const [, name = '', digits = ''] = /^([\w.-]+|\[[\da-fA-F:.]+\]):(\d{1,5})$/.exec(text) ?? [];
  const address = `http://${name}`;
  const port = Number(digits);
  if (digits === '' || port > 65_535 || !URL.canParse(address))
    throw usageError(
      `--listen must be HOST:PORT, such as 0.0.0.0:8443 or [::]:8443, not ${JSON.stringify(text)}`,
    );
  // Normalize the host, for example 127.1 to 127.0.0.1.
  const host = new URL(address).hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port };
}

/** Returns a URL without a trailing slash, to which paths can be appended. */
function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== '';
  if (!isHttp)
    throw usageError(
      `--public-url must be a URL such as https://ci.example.com, not ${JSON.stringify(text)}`,
    );
  if (url.username !== '' || url.password !== '')
    throw usageError('--public-url must not contain a user name or password');
  if (url.search !== '' || url.hash !== '')
    throw usageError(`--public-url must not contain ? or #: ${JSON.stringify(text)}`);
  return url.href.replace(/\/+$/, '');
}
