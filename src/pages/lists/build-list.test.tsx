import { expect, test } from 'vitest';
import { htmlOf } from '../elements.tsx';
import { BuildList } from './build-list.tsx';

test.each([
  ['main', 'main'],
  ['\u00a0', '(blank)'],
])('builds of branch %j have a link with a name: %s', (branch, name) => {
  const html = htmlOf(
    <BuildList
      builds={[{ number: 1, branch }]}
      context={{ now: 0, link: () => '/b', formToken: undefined }}
      pages={{ text: '' }}
      branchHref={() => '/p'}
      none=""
    />,
  );
  expect(html).toContain(`<a href="/p"><bdi>${name}</bdi></a>`);
});
