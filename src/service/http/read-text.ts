import type { Context, Next } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ApiError } from './api-error.ts';

/** The body of a request as text. Throws `ApiError` 413 as soon as it is too large. */
export async function readText(context: Context): Promise<string> {
  if (!saysItFits(context)) await limitBody(context, () => Promise.resolve());
  return Buffer.from(await context.req.arrayBuffer()).toString();
}

/** Bytes: room for an annotation of 1 MiB whose characters are all escaped. */
const maxSize = 8 * 1024 * 1024;

/** Node reads no more than was said; to count what comes takes a stream, half the time of a small request. */
function saysItFits({ req }: Context): boolean {
  const length = req.header('content-length') ?? '';
  return (
    req.header('transfer-encoding') === undefined &&
    /^\d{1,9}$/.test(length) &&
    Number(length) <= maxSize
  );
}

const limitBody: (context: Context, next: Next) => Promise<unknown> = bodyLimit({
  maxSize,
  onError: () => {
    throw new ApiError(413, 'The request body is too large');
  },
});
