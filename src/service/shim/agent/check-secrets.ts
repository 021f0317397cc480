/** Secrets that would become a part of the pipeline, for all to see who may see the build. */
import { env } from 'node:process';
import { AgentError, type Given } from './command.ts';
import { secretsOf } from './redact.ts';
import { note } from './speak.ts';

/**
 * Says which secret variables have their values in the pipeline `file` once it is `filled` in; with
 * `--reject-secrets` throws `AgentError`. Where no secret is named in the text, nothing is asked.
 */
export async function checkSecrets(
  given: Given,
  text: string,
  filled: () => Promise<string>,
  file: string,
): Promise<void> {
  const rejects = given.on('reject-secrets');
  const secrets = secretsOf(given, env).filter(
    ([name, value]) => rejects || text.includes(name) || text.includes(value),
  );
  if (secrets.length === 0 || (given.on('allow-secrets') && !rejects)) return;
  const whole = await filled();
  const found = secrets.filter(([, value]) => whole.includes(JSON.stringify(value).slice(1, -1)));
  if (found.length === 0) return;
  const names = found.map(([name]) => name).sort();
  const what = `pipeline "${file}" contains values interpolated from the following secret environment variables: [${names.join(' ')}]`;
  if (rejects) throw new AgentError(`${what}, and cannot be uploaded`);
  note(given, `${what}; with --reject-secrets it would not be uploaded`);
}
