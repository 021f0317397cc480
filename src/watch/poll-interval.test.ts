import { expect, test } from 'vitest';
import { pollInterval } from './poll-interval.ts';

const near = { min: 250, max: 2000 };
const far = { min: 1000, max: 15_000 };

test.each([
  ['http://127.0.0.1:8080', near],
  ['http://127.1.2.3', near],
  ['http://localhost:3000/x', near],
  ['http://[::1]:80', near],
  ['https://api.buildkite.com', far],
  ['http://localhost.example', far],
  ['http://my-localhost', far],
  ['http://127.0.0.1.example', far],
  ['http://128.0.0.1', far],
  ['http://10.127.0.1', far],
])('%s is asked every %j', (url, pace) => {
  expect(pollInterval(url)).toEqual(pace);
});
