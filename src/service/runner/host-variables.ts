type HostEnv = Readonly<Record<string, string | undefined>>;

const names = new Set(['HOME', 'PATH', 'USER', 'SHELL', 'LANG', 'TMPDIR', 'TERM']);

/** Returns the variables that jobs get from this machine. Excludes all others, such as tokens. */
export const hostVariables = (env: HostEnv): Record<string, string> =>
  pick(env, (name) => names.has(name) || name.startsWith('LC_'));

/** Variables that configure git, its transports and the network. */
const ofGit =
  /^(GIT_(CONFIG.*|SSH.*|SSL_.*|PROXY_.*|ALLOW_PROTOCOL|EXEC_PATH)|SSH_AUTH_SOCK|XDG_CONFIG_HOME|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR))$/;

/** Returns the additional variables for git commands that fetch plugins and make checkouts. */
export const gitVariables = (env: HostEnv): Record<string, string> =>
  pick(env, (name) => ofGit.test(name));

function pick(env: HostEnv, isPicked: (name: string) => boolean): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && isPicked(name)) picked[name] = value;
  return picked;
}
