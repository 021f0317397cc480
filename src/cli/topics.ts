export const topics: Readonly<Record<string, string>> = {
  environment: `Environment variables

Each setting comes from the first of these sources that has a value:

  1  the flag
  2  the profile given by --profile
  3  CICTL_*
  4  BUILDKITE_*, inside a job
  5  git config cictl.org and cictl.pipeline
  6  for the pipeline: the one whose repository is this checkout's remote or directory
  7  the current profile
  8  the git checkout (commit, branch)
  9  the default

On/off variables are off if they are empty, 0 or false. --debug shows the source of each setting.

  CICTL_TOKEN             API access token
  CICTL_AGENT_TOKEN       agent registration token (metrics)
  CICTL_PROFILE           profile to use
  CICTL_ORG               organization slug
  CICTL_PIPELINE          pipeline slug
  CICTL_BUILD             build number or reference
  CICTL_BASE_URL          REST API, and the other APIs unless their URLs are set
  CICTL_AGENT_URL         agent metrics API
  CICTL_GRAPHQL_URL       GraphQL API
  CICTL_CONFIG_DIR        directory for profiles
  CICTL_DATA_DIR          data directory of the local service
  CICTL_CACHE_DIR         cache directory
  CICTL_OUTPUT            table, tsv, json, jsonl or yaml
  CICTL_REQUEST_TIMEOUT   maximum time without data from the service, such as 30s
  CICTL_PAGER, PAGER      pager (default less -FRX); empty for none
  CICTL_NO_INPUT          disable prompts, like --no-input
  CICTL_DEBUG             print debug output, like --debug

Inside a job (BUILDKITE_BUILD_NUMBER is set), cictl also reads BUILDKITE_API_TOKEN,
BUILDKITE_ORGANIZATION_SLUG, BUILDKITE_PIPELINE_SLUG, BUILDKITE_BUILD_NUMBER, BUILDKITE_BRANCH and
BUILDKITE_JOB_ID.

Color is decided by --color and --no-color, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR and
TERM=dumb. HTTPS_PROXY, HTTP_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS are honored.
`,
  'exit-codes': `Exit codes

    0  success; the build or job passed; an empty list; the reader closed the pipe
    1  the build or job failed
    2  invalid usage or settings
    3  the build was canceled
    4  blocked (waiting for manual approval)
    5  skipped or not run
    6  no credential, or no permission: 401, 403
    7  not found: 404, or the build or job does not exist
    8  the service refused the request: 400, 409, 413, 422 and other 4xx; GraphQL errors
    9  the service is unreachable or fails: network, timeout, 429, 5xx, malformed JSON
   10  a problem on this machine (file, disk, port) or an internal error
  124  the wait timed out
  130  interrupted
  143  terminated

A build is settled when it passed, failed, was canceled, was skipped, was not run or is blocked.
If there are several outcomes, the exit code is the largest one. With --json, the last line of
standard error is one JSON object: {"error":{"code","kind","status","message","details","hint"}}.

kind is one word: usage (2), auth (6), not_found (7), refused (8); for code 9 unreachable (no
response: network, timeout, proxy), rate_limited (429 after all attempts), service_failed (5xx) or
invalid_response (the response is unusable); machine or internal (10), timeout (124), interrupted
(130), terminated (143).
`,
  formatting: `Formatting

Data goes to standard output, and messages go to standard error.

  -o table   default on a terminal: fitted to its width, with colors and relative times
  -o tsv     default in a pipe: no header, no truncation, RFC 3339 times; \\t \\n \\r \\\\ for tab, newline,
             carriage return and backslash; null is empty
  -o json    every field that the service sent
  -o jsonl   one element per line, as its page arrives
  -o yaml    the same data as YAML

  --fields A,B  the fields to print, which are also the columns of tables and TSV: any field of the
                response, and the duration (in seconds) of builds and jobs. Use dots for nested
                fields: pipeline.slug. Commands that make changes accept only fields of the API
                specification. Unknown fields are rejected with exit code 2.
  --json=A,B    short for --json --fields A,B
  --jq EXPR     filters the JSON, with all of its fields; strings are printed without quotes

A command that needs a field fails with exit code 9 if the field has the wrong type. JSON and YAML
output of lists and views is not checked. JSON that is nested deeper than 1,000 levels (YAML: 400,
jq: 500) is rejected with exit code 9.

  cictl builds list --json --fields number,state
  cictl builds list -o jsonl --jq '.web_url'
  cictl builds list --jq '.[] | select(.state=="failed")'
`,
  references: `References

  TARGET   PIPELINE, ORG/PIPELINE, or a URL of a pipeline or an organization.
           If omitted, the first of these: flag, environment, git config cictl.pipeline, the pipeline
           whose repository is a remote of this checkout (remembered for a day) or that was added to
           the local service from this directory, the current profile. If several pipelines match,
           builds list and builds stats use the organization; other commands list the matches and
           exit with 2.
  BUILD    N, latest, PIPELINE/N, PIPELINE/latest, ORG/PIPELINE/N, ORG/PIPELINE/latest, or a URL.
           If omitted: CICTL_BUILD, otherwise the build of the surrounding job, otherwise the newest
           build of the current branch. Commands that make changes never use the newest build by
           default. builds watch uses the newest build of the checked-out commit, waiting for one if
           necessary.
  JOB      BUILD#JOB, a URL with #JOB, or JOB with --build. JOB is an ID, a step key or an exact name;
           a number without # is a build.
  COMMIT   40 hex digits, or anything that git rev-parse resolves
  TIME     2026-11-20T10:00:00Z, 2026-11-20, 7d (ago), 1w, 2h30m, "3 days ago", yesterday, monday,
           "last week" (7 days ago); local time unless a zone is given
  DURATION 250ms, 90s, 15m, 1h30m; a number without a unit is in seconds
  VALUE    where @FILE is accepted, @- is standard input
`,
};
