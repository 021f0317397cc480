/**
 * Sends the output of a job in compressed chunks, up to three in parallel, in no particular order.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { growing, retried } from './retries.js';

const compress = promisify(gzip);
const atOnce = 3;

/**
 * @param {{ send: Function, path: string, token: string, size: number, pace: number }} to
 * `path`: of the job; `size`: maximum size of a chunk in bytes
 */
export function openLog({ send, path, token, size, pace }) {
  const sending = new Set();
  let [rest, offset, sequence, failed] = [[], 0, 0, 0];

  async function upload(bytes, from, number) {
    const compressed = await compress(bytes, { level: 1 });
    const query = `sequence=${number}&offset=${from}&size=${bytes.length}`;
    const call = { method: 'POST', path: `${path}/chunks?${query}`, token, bytes: compressed };
    const reply = await retried(() => send(call), { attempts: 12, wait: growing(pace) });
    if (reply === undefined || reply.status >= 300) failed++;
  }

  async function flush() {
    const all = Buffer.concat(rest);
    rest = [];
    for (let at = 0; at < all.length; at += size) {
      const bytes = all.subarray(at, at + size);
      while (sending.size >= atOnce) await Promise.race(sending);
      const one = upload(bytes, offset, ++sequence).finally(() => sending.delete(one));
      offset += bytes.length;
      sending.add(one);
    }
  }

  return {
    /** @param {string | Buffer} text */
    write: (text) => void rest.push(Buffer.from(text)),
    flush,
    /** Sends the rest; returns the number of chunks that could not be sent. */
    close: async () => {
      await flush();
      await Promise.all(sending);
      return failed;
    },
  };
}
