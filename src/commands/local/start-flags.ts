import { resolve } from 'node:path';
import type { Input } from '../../command/command.ts';
import type { localUp } from './index.ts';

/** The flags of `local up` for the process in the background, which works in another folder than `cwd`. */
export function startFlags(input: Input<typeof localUp>, cwd: string): string[] {
  const { port, rateLimit, keep, slots, tags, listen, tlsCert, tlsKey, publicUrl, maxLog } = input;
  const values = {
    ...{ '--port': port, '--rate-limit': rateLimit, '--keep': keep, '--slots': slots },
    ...{ '--heartbeat': input.heartbeat, '--expire-after': durationText(input.expireAfter) },
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

const durationText = (milliseconds: number | undefined): string | undefined =>
  milliseconds === undefined ? undefined : `${milliseconds}ms`;
