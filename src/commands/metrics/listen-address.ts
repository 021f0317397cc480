import { usageError } from '../../errors.ts';

export interface ListenAddress {
  readonly host: string;
  /** 0 for one that is free. */
  readonly port: number;
}

/** `9100`, `0.0.0.0:9100`, `[::1]:9100`; without a host, only this machine. */
export function parseListenAddress(text: string): ListenAddress {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]:|([^:[\]]*):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw usageError(`--listen takes [HOST:]PORT, not ${JSON.stringify(text)}`);
  }
  return { host: bracketed ?? (plain || '127.0.0.1'), port };
}
