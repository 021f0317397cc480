import { expect, test } from 'vitest';
import { readErrorBody } from './error-body.ts';
import { explainNotFound } from './not-found.ts';
import type { Subject } from './call.ts';

const org = { org: 'acme' };
const pipeline = { ...org, pipeline: 'web' };
const build = { ...pipeline, number: 7 };
const job = { ...build, job: 'j-1' };
const rule = { ...org, rule: 'r-1' };

/** What a user reads of a 404 with this body. */
function explain(subject: Subject | undefined, body: string) {
  const response = {
    ...{ status: 404, headers: {}, url: new URL('http://ci.test/v2/x?y=1') },
    body: (async function* () {})(),
  };
  const call = { method: 'GET' as const, action: 'look', ...(subject && { subject }) };
  return explainNotFound(call, response, readErrorBody(body));
}
const says = (message: string): string => JSON.stringify({ message });

test.each<[Subject, string, string]>([
  [rule, 'rule r-1 was not found', 'cictl rules list --org acme'],
  [job, 'job j-1 was not found', 'cictl job list acme/web/7'],
  [build, 'build acme/web/7 was not found', 'cictl builds list acme/web'],
  [pipeline, 'pipeline acme/web was not found', 'cictl builds list --org acme --all-pipelines'],
  [org, 'organization acme was not found', 'cictl orgs list'],
])('what was asked for is missing where the service does not say what: %j', (subject, ...words) => {
  const [reason, hint] = words;
  expect(explain(subject, says('Not Found'))).toMatchObject({ reason, hint });
  expect(explain(subject, says('not found.'))).toMatchObject({ reason, hint });
  expect(explain(subject, '{}')).toMatchObject({ reason, hint });
});

test.each<[Subject, string, string, string]>([
  [rule, 'No organization found', 'organization acme was not found', 'cictl orgs list'],
  [rule, 'no RULE found', 'rule r-1 was not found', 'cictl rules list --org acme'],
  [job, 'No build found', 'build acme/web/7 was not found', 'cictl builds list acme/web'],
  [job, 'No log found', 'log of job j-1 was not found', 'cictl job list acme/web/7'],
  [
    job,
    'No log found: its file is missing',
    'log of job j-1 was not found: its file is missing',
    'cictl job list acme/web/7',
  ],
])('the service knows better: of %j, %s', (subject, message, reason, hint) => {
  expect(explain(subject, says(message))).toMatchObject({ reason, hint });
});

test.each([
  ['It says: No build found', 'build acme/web/7 was not found (It says: No build found)'],
  ['No builder', 'build acme/web/7 was not found (No builder)'],
  ['Not found: here', 'build acme/web/7 was not found (Not found: here)'],
  ['It is not found', 'build acme/web/7 was not found (It is not found)'],
])('other words of the service are added: %s', (message, reason) => {
  expect(explain(build, says(message))).toMatchObject({ reason });
});

test.each<[Subject | undefined, string, string]>([
  [undefined, '{}', 'http://ci.test knows no /v2/x'],
  [undefined, says('Nothing here'), 'Nothing here'],
  [{}, says('Nothing here'), 'Nothing here'],
  [org, says('No pipeline found'), 'No pipeline found'],
  [pipeline, says('No build found'), 'No build found'],
  [build, says('No job found'), 'No job found'],
  [build, says('No log found'), 'No log found'],
])('what has no name is not named: of %j, %s', (subject, body, reason) => {
  expect(explain(subject, body)).toEqual({ reason });
});

test('a page of another server hints at no command, but at the address', () => {
  expect(explain(build, '<html>nginx</html>')).toEqual({
    reason: 'build acme/web/7 was not found; http://ci.test may not be the service',
  });
});

test.each(['a b', 'a;rm', '$(x)', 'a/b'])('no command is shown with the slug %s in it', (slug) => {
  expect(explain({ ...build, pipeline: slug }, '{}')).not.toHaveProperty('hint');
  expect(explain({ ...build, org: slug }, '{}')).not.toHaveProperty('hint');
});
