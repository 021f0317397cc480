/**
 * Whether a variable's name says that its value is a secret: `API_TOKEN`, `DB_PASSWORD`, `aws_key`.
 * The one rule for tables, for the logs of jobs and for what the service in the background is given.
 */
export const looksSecret = (name: string): boolean => secretName.test(name) && !isStepKey(name);

const secretName = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|KEY|CREDENTIALS?)S?(?:_|$)/i;

/** Keys of steps and groups are names in a pipeline file, for everyone to see. */
const isStepKey = (name: string): boolean => /^BUILDKITE_(?:STEP|GROUP)_KEY$/.test(name);
