/** How an agent retries a request. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Retries until there is a final response: no response, 429 and server errors are retried.
 *
 * @param {() => Promise<{ status: number, body: any }>} send
 * @param {{ attempts: number, wait: (attempt: number) => number, signal?: AbortSignal }} schedule
 * `wait`: milliseconds before the next attempt, counted from 1
 * @returns the last response; undefined if there was none
 */
export async function retried(send, { attempts, wait, signal }) {
  let reply;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    reply = await send().catch(() => undefined);
    const isFinal = reply !== undefined && reply.status !== 429 && reply.status < 500;
    if (isFinal || attempt === attempts || signal?.aborted) return reply;
    await sleep(wait(attempt), undefined, { signal }).catch(() => undefined);
  }
  return reply;
}

/**
 * @param {number} seconds
 * @param {number} pace real seconds per second
 */
export const constant = (seconds, pace) => () => seconds * 1000 * pace;

/** 1, 2, 4, 8 seconds. @param {number} pace */
export const doubled = (pace) => (attempt) => 2 ** (attempt - 1) * 1000 * pace;

/** 2, 3, 5, 8, 13 seconds. @param {number} pace */
export const growing = (pace) => (attempt) => Math.round(2 * 1.6 ** (attempt - 1)) * 1000 * pace;
