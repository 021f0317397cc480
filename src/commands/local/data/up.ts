import { command } from '../../../command/command.ts';

export const localUp = command({
  name: 'local up',
  summary: 'Start the built-in service',
  details:
    'It runs in the background, keeps its data on this machine, and is what profile "local" uses.\n' +
    'If its data directory is removed, it stops (exit code 10 with --foreground, a line in local logs otherwise).',
  arguments: {},
  options: {
    port: {
      value: 'N',
      type: 'integer',
      fallback: 'that of last time, else a free one',
      summary: 'port on 127.0.0.1',
    },
    foreground: { summary: 'run in the foreground until Ctrl-C' },
    slots: {
      value: 'N',
      type: 'integer',
      fallback: '2',
      summary: 'jobs that run at once on this machine; 0 leaves all to real agents',
    },
    tags: {
      value: 'KEY=VALUE,...',
      repeat: true,
      fallback: 'none, which takes every job while no real agent is connected',
      summary: 'tags of these slots, for the agents that steps ask for',
    },
    listen: {
      value: 'HOST:PORT',
      summary: 'opens the agent API, and nothing else, to other machines',
    },
    tlsCert: { value: 'FILE', summary: 'certificate for --listen, with its chain (PEM)' },
    tlsKey: { value: 'FILE', summary: 'key of that certificate (PEM)' },
    insecureListen: { summary: 'lets --listen do without TLS where the network is trusted' },
    publicUrl: { value: 'URL', summary: 'what agents call the address of --listen' },
    expireAfter: {
      value: 'DURATION',
      type: 'duration',
      fallback: '30d',
      summary: 'after which a job that no agent has taken expires',
    },
    heartbeat: {
      value: 'SECONDS',
      type: 'integer',
      fallback: '15',
      summary: 'heartbeat interval of agents; three missed heartbeats mark an agent as lost',
    },
    maxLog: {
      value: 'SIZE',
      fallback: '1GiB',
      summary: "maximum size of a job's log; the job continues",
    },
    rateLimit: {
      value: 'N',
      type: 'integer',
      fallback: 'none',
      summary: 'requests a minute that a user may send',
    },
    keep: {
      value: 'AGE|N',
      fallback: 'what was said last, at first all',
      summary: 'which builds stay: 90d, or 500 of each pipeline; all',
    },
    background: { hidden: true, summary: 'this process is the one that local up started' },
  },
  examples: [
    'cictl local up --port 8090 --keep 90d',
    'cictl local up --listen 0.0.0.0:8443 --tls-cert ci.pem --tls-key ci.key',
  ],
  settings: 'optional',
});
