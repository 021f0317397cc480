import type { Context, Next } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ApiError } from './api-error.ts';

/** The body of a request as text. Throws `ApiError` 413 as soon as it is too large. */
export async function readText(context: Context): Promise<string> {
  await limitBody(context, () => Promise.resolve());
  return Buffer.from(await context.req.arrayBuffer()).toString();
}

const limitBody: (context: Context, next: Next) => Promise<unknown> = bodyLimit({
  // Bytes: room for an annotation of 1 MiB whose characters are all escaped.
  maxSize: 8 * 1024 * 1024,
  onError: () => {
    throw new ApiError(413, 'The request body is too large');
  },
});
