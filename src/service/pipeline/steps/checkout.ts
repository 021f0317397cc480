import { checkKeys, type Keys } from '../keys.ts';
import { flag, isNull, type Reading } from '../reading.ts';
import type { Entry } from '../value.ts';

const why = 'is not obeyed: jobs run in the folder of the pipeline';
const shown = [
  ...['depth', 'submodules', 'commit_verification', 'flags', 'sparse', 'lfs', 'ssh_secret'],
  ...['clean', 'branch', 'fetch_tags', 'mirror'],
];
const checkoutKeys: Keys = {
  name: '`checkout`',
  run: ['skip'],
  shown: Object.fromEntries(shown.map((key) => [key, `\`${key}\` of \`checkout\` ${why}`])),
};

/** `checkout`: whether a job runs without one. */
export function readSkipCheckout(
  reading: Reading,
  entry: Entry | undefined,
  inherited: boolean,
): boolean {
  if (entry === undefined || isNull(entry.value)) return inherited;
  if (entry.value.kind === 'mapping') {
    checkKeys(reading, entry.value, checkoutKeys);
    return flag(reading, entry.value.entries.get('skip'), inherited);
  }
  reading.problem(entry.value.at, '`checkout` must be a mapping such as `skip: true`');
  return inherited;
}
