/**
 * References to builds, jobs and pipelines: complete ones are parsed back, all others fail with
 * exit code 2.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAddress, parseBuild, parseJob, parseTarget } from '../../src/refs/parse-reference.ts';
import { isSlug } from '../../src/parse/checks.ts';
import { bound, anyText, fuzzed, valueOrError } from '../support/fuzz.ts';

const signs = [
  ...['latest', 'acme', 'web', '12', 'builds', 'jobs', '/', '#', 'https://', 'http://h', '?jid=x'],
  ...['organizations', 'pipelines', 'v2', '%2f', '%2e%2e', '%', '99999999999999999999'],
  ...['018f5a3e-1111-4222-8333-944445555666'],
];

test('any text is a reference with valid parts, or exits with 2', () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyText(signs, 8), (text) => {
      for (const parse of [parseTarget, parseBuild, parseJob]) {
        const found = valueOrError<object>(() => parse(text), 'usage');
        if ('error' in found) continue;
        accepted++;
        const { org, pipeline, number, build } = found.value as Record<string, unknown>;
        for (const slug of [org, pipeline])
          if (slug !== undefined) expect(isSlug(slug as string)).toBe(true);
        const given = number ?? (build as { number?: unknown } | undefined)?.number ?? 'latest';
        expect(given === 'latest' || Number.isSafeInteger(given)).toBe(true);
      }
    }),
    fuzzed(1500),
  );
  expect(accepted).toBeGreaterThan(bound(100));
});

const slug = anyText(['acme', 'web', ' '], 6).filter((text) => isSlug(text) && !isAddress(text));
const number = fc.oneof(fc.nat(), fc.constant('latest' as const));
const job = anyText().filter((text) => text.trim() !== '');

test('splits what was joined with slashes', () => {
  fc.assert(
    fc.property(slug, slug, number, job, (org, pipeline, number, job) => {
      const build = `${org}/${pipeline}/${number}`;
      fc.pre(!isAddress(build));
      expect(parseTarget(`${org}/${pipeline}`)).toEqual({ org, pipeline });
      expect(parseTarget(pipeline)).toEqual({ pipeline });
      expect(parseBuild(build)).toEqual({ org, pipeline, number });
      expect(parseJob(`${build}#${job}`)).toEqual({ build: { org, pipeline, number }, job });
    }),
    fuzzed(1500),
  );
});

const sendable = slug.filter((text) => !/^(?:builds|organizations|v2)$/.test(text));
const place = fc.constantFrom('https://h', 'http://127.0.0.1:8080', 'HTTPS://h/some/where');

test('URLs of builds and jobs in every form refer to them', () => {
  fc.assert(
    fc.property(
      place,
      sendable,
      sendable,
      fc.nat(),
      sendable,
      (place, org, pipeline, number, job) => {
        const [o, p, j] = [org, pipeline, job].map(encodeURIComponent);
        const web = `${place}/${o}/${p}/builds/${number}`;
        const rest = `${place}/v2/organizations/${o}/pipelines/${p}/builds/${number}`;
        const host = new URL(place).host;
        const build = { org, pipeline, number, host };
        for (const address of [web, rest]) {
          expect(parseTarget(address)).toEqual({ org, pipeline, host });
          expect(parseBuild(address)).toEqual(build);
          expect(parseJob(`${address}/jobs/${j}`)).toEqual({ build, job });
          expect(parseJob(`${address}#${j}`)).toEqual({ build, job });
        }
      },
    ),
    fuzzed(1000),
  );
});
