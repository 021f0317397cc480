import { expect, test } from 'vitest';
import { startFlags } from './up-flags.ts';

const none = {
  ...{ port: undefined, rateLimit: undefined, keep: undefined, slots: undefined, tags: [] },
  ...{ listen: undefined, tlsCert: undefined, tlsKey: undefined, publicUrl: undefined },
  ...{ expireAfter: undefined, heartbeat: undefined, maxLog: undefined },
  ...{ foreground: false, background: false, insecureListen: false, rest: [] },
};

test('omits flags that were not given', () => {
  expect(startFlags(none, '/here')).toEqual([]);
});

test('passes flags on as given, with absolute file paths', () => {
  const given = {
    ...{
      ...none,
      slots: 0,
      tags: ['queue=a,os=b', 'c=d'],
      listen: '0.0.0.0:8443',
      heartbeat: 5,
      maxLog: '10MB',
    },
    ...{ tlsCert: 'ci.pem', tlsKey: '/keys/ci.key', expireAfter: 90_000, insecureListen: true },
  };
  expect(startFlags(given, '/here').join(' ')).toBe(
    '--slots 0 --heartbeat 5 --expire-after 90000ms --listen 0.0.0.0:8443 --max-log 10MB --tls-cert /here/ci.pem' +
      ' --tls-key /keys/ci.key --tags queue=a,os=b --tags c=d --insecure-listen',
  );
});
