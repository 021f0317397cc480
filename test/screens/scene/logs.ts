/** The logs of the scene's jobs, and their variables. */
import { allJobs } from './jobs.ts';

const esc = '\x1b';
const time = (ms: number): string => `${esc}_bk;t=${Date.parse('2026-11-20T10:57:00Z') + ms}\x07`;

const unit = [
  `${time(0)}~~~ Preparing the working directory`,
  `${time(400)}${esc}[90m$${esc}[0m git fetch -- origin`,
  `${time(900)}--- :npm: Install`,
  ...Array.from({ length: 30 }, (_, n) => `${time(1000 + n)}added package ${n}`),
  `${time(9000)}+++ :jest: Unit tests 1/2`,
  `${time(9100)} ${esc}[1m${esc}[32mPASS${esc}[0m src/price.test.ts`,
  `${time(9200)} ${esc}[1m${esc}[31mFAIL${esc}[0m src/round.test.ts`,
  `${time(9300)}  ● rounds half to even for CHF`,
  '',
  `${time(9300)}    expect(received).toBe(expected) // Object.is equality`,
  '',
  `${time(9400)}    Expected: ${esc}[32m1205${esc}[39m`,
  `${time(9400)}    Received: ${esc}[31m1200${esc}[39m`,
  '',
  `${time(9500)}      at Object.<anonymous> (src/round.test.ts:42:21), which is a line that is much longer than most of the terminals that it is read on, so that it has to be wrapped or cut 長い行`,
  `${time(9600)}Tests: ${esc}[31m1 failed${esc}[39m, 41 passed`,
  `${time(95_000)}^^^ +++`,
  `${time(95_000)}🚨 Error: The command exited with status 1`,
];

const others: Readonly<Record<string, readonly string[]>> = {
  'c93b7e2-4d1c-4caa-8f00-000000141005': [
    `${time(0)}src/tax.ts:12:7 warning  'rate' is never used`,
  ],
};

function text(id = ''): string {
  const job = allJobs.find((each) => each.id === id);
  const lines =
    job?.['step_key'] === 'unit' ? unit : (others[id.slice(1)] ?? [`${time(0)}one line`]);
  return lines.map((line) => `${line}\r\n`).join('');
}

export const logs = {
  text,
  whole: (id = '') => ({ url: '', content: text(id), size: text(id).length, header_times: [] }),
};

export const environment = {
  ...{ CI: 'true', BUILDKITE_BUILD_NUMBER: '141', BUILDKITE_BRANCH: 'main' },
  BUILDKITE_MESSAGE: 'Rework the checkout: prices in minor units, taxes by country\n\nMore',
  ...{ DATABASE_PASSWORD: 'hunter2', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin' },
};
