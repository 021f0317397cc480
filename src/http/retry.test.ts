import { expect, test } from 'vitest';
import { decideRetry, type RetryDecision, type AttemptResult, type Attempt } from './retry.ts';
import type { Method } from './transport.ts';

const error = (reached: 'no' | 'maybe'): AttemptResult => ({ kind: 'error', reached });
const response = (status: number, retryAfter?: number): AttemptResult => ({
  kind: 'response',
  status,
  retryAfter,
});
const trial = (
  method: Method,
  number: number,
  result: AttemptResult,
  rest: Partial<Attempt> = {},
): Attempt => ({
  ...{ method, number, result, waited: 0, maxWait: 120_000, random: 0.5 },
  ...rest,
});
const stop: RetryDecision = { again: false };

test.each<[string, Attempt, RetryDecision]>([
  ['an error, first', trial('GET', 1, error('maybe')), { again: true, wait: 400, retryAfter: 0 }],
  ['an error, second', trial('GET', 2, error('no')), { again: true, wait: 1200, retryAfter: 0 }],
  ['an error, third', trial('GET', 3, error('no')), stop],
  [
    'jitter, least',
    trial('GET', 1, error('no'), { random: 0 }),
    { again: true, wait: 200, retryAfter: 0 },
  ],
  ['502', trial('GET', 1, response(502)), { again: true, wait: 400, retryAfter: 0 }],
  ['504', trial('GET', 2, response(504)), { again: true, wait: 1200, retryAfter: 0 }],
  ['a lasting error', trial('GET', 1, { kind: 'error', reached: 'no', isLasting: true }), stop],
  ['500', trial('GET', 1, response(500)), stop],
  ['404', trial('GET', 1, response(404)), stop],
  ['200', trial('GET', 1, response(200)), stop],
  ['an error of POST', trial('POST', 1, error('maybe')), stop],
  ['a refused POST', trial('POST', 1, error('no')), stop],
  ['503 of POST', trial('POST', 1, response(503)), stop],
  ['502 of PUT', trial('PUT', 1, response(502)), stop],
  ['504 of DELETE', trial('DELETE', 1, response(504)), stop],
  [
    '429 of POST',
    trial('POST', 1, response(429, 2000)),
    { again: true, wait: 2125, retryAfter: 2000 },
  ],
  ['429 of DELETE', trial('DELETE', 2, response(429)), { again: true, wait: 1200, retryAfter: 0 }],
  ['429, third', trial('GET', 3, response(429, 1000)), stop],
  [
    'as long as allowed',
    trial('GET', 1, response(429, 120_000)),
    { again: true, wait: 120_125, retryAfter: 120_000 },
  ],
  [
    'longer than allowed',
    trial('GET', 1, response(429, 121_000)),
    { again: false, tooLong: 121_000, totalWait: 121_000 },
  ],
  [
    'too long in all',
    trial('GET', 2, response(429, 61_000), { waited: 60_000 }),
    { again: false, tooLong: 61_000, totalWait: 121_000 },
  ],
  [
    'no waiting at all',
    trial('GET', 1, response(429, 1000), { maxWait: 0 }),
    { again: false, tooLong: 1000, totalWait: 1000 },
  ],
  [
    '503 that asks',
    trial('GET', 1, response(503, 3000)),
    { again: true, wait: 3125, retryAfter: 3000 },
  ],
])('%s', (_, last, expected) => {
  expect(decideRetry(last)).toEqual(expected);
});
