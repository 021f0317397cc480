type HostEnv = Readonly<Record<string, string | undefined>>;

const names = new Set(['HOME', 'PATH', 'USER', 'SHELL', 'LANG', 'TMPDIR', 'TERM']);

/** Picks the variables that jobs get from this machine. All others are excluded, especially tokens. */
export const hostVariables = (env: HostEnv): Record<string, string> =>
  pick(env, (name) => names.has(name) || name.startsWith('LC_'));

/** Settings of git, of its transports and of the network. */
const ofGit =
  /^(GIT_(CONFIG.*|SSH.*|SSL_.*|PROXY_.*|ALLOW_PROTOCOL|EXEC_PATH)|SSH_AUTH_SOCK|XDG_CONFIG_HOME|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR))$/;

/** Additional variables for git commands that the runner itself runs: for plugins and checkouts. */
export const gitVariables = (env: HostEnv): Record<string, string> =>
  pick(env, (name) => ofGit.test(name));

function pick(env: HostEnv, isPicked: (name: string) => boolean): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && isPicked(name)) picked[name] = value;
  return picked;
}
