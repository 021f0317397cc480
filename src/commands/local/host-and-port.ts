import { usageError } from '../../errors.ts';

/** `0.0.0.0:8443`, `[::]:8443`, `ci.lan:8443`; port 0 is any free one. Code 2 for anything else. */
export function parseHostAndPort(text: string): { host: string; port: number } {
  const [, name = '', digits = ''] = /^([\w.-]+|\[[\da-fA-F:.]+\]):(\d{1,5})$/.exec(text) ?? [];
  const address = `http://${name}`;
  const port = Number(digits);
  if (digits === '' || port > 65_535 || !URL.canParse(address))
    throw usageError(
      `--listen takes HOST:PORT, such as 0.0.0.0:8443 or [::]:8443, not ${JSON.stringify(text)}`,
    );
  // In the usual form: 127.1 is 127.0.0.1.
  const host = new URL(address).hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port };
}
