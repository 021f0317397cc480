/**
 * Whether a variable's name says that its value is a secret: `API_TOKEN`, `DB_PASSWORD`, `aws_key`. It covers the
 * default list of the public agent. Tables, the logs of jobs, the jobs' `buildkite-agent` and the environment of
 * the service in the background all use it.
 */
export const looksSecret = (name: string): boolean => secretName.test(name) && !isStepKey(name);

const secretName = new RegExp(
  [
    '(?:^|_)(?:TOKEN|SECRET|(?:PG)?PASSWORD|PASSWD|PASSPHRASE|KEY|CREDENTIAL|CONNECTION_STRING)S?(?:_|$)',
    '(?:^|_)(?:PAT|AUTHORIZATION|DATABASE_URL)$',
    '^MYSQL_PWD$',
  ].join('|'),
  'i',
);

/** Keys of steps and groups are names in a pipeline file, for everyone to see. */
const isStepKey = (name: string): boolean => /^BUILDKITE_(?:STEP|GROUP)_KEY$/.test(name);
