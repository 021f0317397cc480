/**
 * Against pages in a browser of this machine: a name that leads here by DNS rebinding shows in
 * `Host`, a foreign page in `Origin`.
 */
import { ApiError } from './api-error.ts';

const names = ['127.0.0.1', 'localhost', '[::1]'];

/** Throws `ApiError` 403 for a request that was not meant for this service. */
export function assertLoopbackOnly(
  host: string | undefined,
  origin: string | undefined,
  port: number,
): void {
  const hosts = names.map((name) => `${name}:${port}`);
  if (host === undefined || !hosts.includes(host.toLowerCase()))
    throw new ApiError(403, 'Forbidden: this service answers at 127.0.0.1 and localhost alone');
  if (origin !== undefined && !hosts.map((name) => `http://${name}`).includes(origin))
    throw new ApiError(403, 'Forbidden: this service answers no other origin');
}
