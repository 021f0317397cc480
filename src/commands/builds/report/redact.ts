import type { Context } from '../../../context.ts';

/** A text of a report without what this process knows as a secret, and without what looks like a token. */
export const redactText = (text: string, { secrets }: Pick<Context, 'secrets'>): string =>
  secrets.redact(text).replace(tokens, '[REDACTED]');

/** Beginnings that services have given their tokens so that they can be found. */
const tokens = new RegExp(
  [
    'gh[oprsu]_[A-Za-z0-9]{16,}',
    'github_pat_\\w{20,}',
    'glpat-[\\w-]{16,}',
    'bk[a-z]{2}_[A-Za-z0-9]{16,}',
    'xox[a-z]-[\\w-]{16,}',
    'npm_[A-Za-z0-9]{36}',
    'sk_live_[A-Za-z0-9]{16,}',
    '(?:AKIA|ASIA)[A-Z0-9]{16}',
  ].join('|'),
  'g',
);
