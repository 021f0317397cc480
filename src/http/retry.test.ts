import { expect, test } from 'vitest';
import { decide, type Decision, type Ending, type Try } from './retry.ts';
import type { Method } from './transport.ts';

const fault = (reached: 'no' | 'maybe'): Ending => ({ kind: 'fault', reached });
const answer = (status: number, asked?: number): Ending => ({ kind: 'answer', status, asked });
const trial = (method: Method, number: number, ending: Ending, rest: Partial<Try> = {}): Try => ({
  ...{ method, number, ending, waited: 0, maxWait: 120_000, random: 0.5 },
  ...rest,
});
const stop: Decision = { again: false };

test.each<[string, Try, Decision]>([
  ['a fault, first', trial('GET', 1, fault('maybe')), { again: true, wait: 400, asked: 0 }],
  ['a fault, second', trial('GET', 2, fault('no')), { again: true, wait: 1200, asked: 0 }],
  ['a fault, third', trial('GET', 3, fault('no')), stop],
  [
    'jitter, least',
    trial('GET', 1, fault('no'), { random: 0 }),
    { again: true, wait: 200, asked: 0 },
  ],
  ['502', trial('GET', 1, answer(502)), { again: true, wait: 400, asked: 0 }],
  ['504', trial('GET', 2, answer(504)), { again: true, wait: 1200, asked: 0 }],
  ['a lasting fault', trial('GET', 1, { kind: 'fault', reached: 'no', isLasting: true }), stop],
  ['500', trial('GET', 1, answer(500)), stop],
  ['404', trial('GET', 1, answer(404)), stop],
  ['200', trial('GET', 1, answer(200)), stop],
  ['a fault of POST', trial('POST', 1, fault('maybe')), stop],
  ['a refused POST', trial('POST', 1, fault('no')), stop],
  ['503 of POST', trial('POST', 1, answer(503)), stop],
  ['502 of PUT', trial('PUT', 1, answer(502)), stop],
  ['504 of DELETE', trial('DELETE', 1, answer(504)), stop],
  ['429 of POST', trial('POST', 1, answer(429, 2000)), { again: true, wait: 2125, asked: 2000 }],
  ['429 of DELETE', trial('DELETE', 2, answer(429)), { again: true, wait: 1200, asked: 0 }],
  ['429, third', trial('GET', 3, answer(429, 1000)), stop],
  [
    'as long as allowed',
    trial('GET', 1, answer(429, 120_000)),
    { again: true, wait: 120_125, asked: 120_000 },
  ],
  [
    'longer than allowed',
    trial('GET', 1, answer(429, 121_000)),
    { again: false, tooLong: 121_000, inAll: 121_000 },
  ],
  [
    'too long in all',
    trial('GET', 2, answer(429, 61_000), { waited: 60_000 }),
    { again: false, tooLong: 61_000, inAll: 121_000 },
  ],
  [
    'no waiting at all',
    trial('GET', 1, answer(429, 1000), { maxWait: 0 }),
    { again: false, tooLong: 1000, inAll: 1000 },
  ],
  ['503 that asks', trial('GET', 1, answer(503, 3000)), { again: true, wait: 3125, asked: 3000 }],
])('%s', (_, last, expected) => {
  expect(decide(last)).toEqual(expected);
});
