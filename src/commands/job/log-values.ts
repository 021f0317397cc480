import type { Bytes } from '../../api/log-bytes.ts';
import type { Context } from '../../context.ts';

/** What `-O` writes: the log as it is, or what `--jq` makes of its object. */
export async function filteredBytes(bytes: Bytes, { out, settings }: ValueParts): Promise<Bytes> {
  if (settings.jq === undefined) return bytes;
  return asBytes(await out.filtered(await readText(bytes)));
}

type ValueParts = Pick<Context, 'out' | 'settings'>;

/** For the object of a log, of which a program needs all. */
export async function readText(bytes: Bytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function* asBytes(text: string): Bytes {
  yield await Promise.resolve(Buffer.from(text));
}
