import type { Call } from './route.ts';

/** Whether `Accept` names this type; a wildcard does not count, JSON being the form of choice. */
export function accepts(call: Pick<Call, 'header'>, type: string): boolean {
  const wanted = (call.header('accept') ?? '')
    .split(',')
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  const [first] = wanted.filter((one) =>
    ['application/json', 'text/plain', 'text/html'].includes(one ?? ''),
  );
  return first === type;
}
