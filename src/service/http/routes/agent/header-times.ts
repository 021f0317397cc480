/** When the sections of a log began, from agents that put no marks into its lines. */
import { badRequest } from '../../api-error.ts';
import { isObject, objectOf } from '../../body-reader.ts';
import { empty } from '../../response.ts';
import type { Route } from '../../route.ts';
import type { HeaderTime } from '../../../store/header-times.ts';
import { jobRoute } from './job-route.ts';

export const headerTimesRoute: Route = jobRoute(
  'POST',
  '/v3/jobs/:job/header_times',
  async (call, { store }, own) => {
    const times = readTimes(objectOf(await call.body())['header_times']);
    store.transaction(() => store.headerTimes.put(own, times));
    return empty();
  },
);

function readTimes(given: unknown): HeaderTime[] {
  if (!isObject(given)) throw badRequest('header_times must be an object');
  return Object.entries(given).map(([position, text]) => {
    const time = typeof text === 'string' ? nanoseconds(text) : undefined;
    if (!/^\d{1,5}$/.test(position) || time === undefined)
      throw badRequest('header_times must have times, such as {"0":"2026-11-21T20:30:31.095Z"}');
    return { position: Number(position), time };
  });
}

/** Of a time in RFC 3339, with all its digits, which no `Date` has. */
function nanoseconds(text: string): string | undefined {
  const [, second = '', fraction = '', zone = ''] = form.exec(text) ?? [];
  const at = Date.parse(`${second}${zone}`);
  if (Number.isNaN(at) || at < 0) return undefined;
  return `${at / 1000}${fraction.slice(0, 9).padEnd(9, '0')}`;
}

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;
