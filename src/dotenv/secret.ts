/**
 * Whether a variable's name says that its value is a secret: `API_TOKEN`, `DB_PASSWORD`, `aws_key`.
 */
export const looksSecret = (name: string): boolean =>
  /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|KEY|CREDENTIALS?)S?(?:_|$)/i.test(name);
