export const topics: Readonly<Record<string, string>> = {
  environment: `Environment variables

Settings are resolved in this order: flag, the profile given by --profile, CICTL_*, inside a job
BUILDKITE_*, git config cictl.org and cictl.pipeline, for the pipeline the one whose repository is
this checkout's remote or directory, the current profile, the git checkout (commit, branch), a default.
Switches are off when empty, 0 or false. --debug says where each setting came from.

  CICTL_TOKEN             API access token
  CICTL_AGENT_TOKEN       agent registration token (metrics)
  CICTL_PROFILE           profile to use
  CICTL_ORG               organization slug
  CICTL_PIPELINE          pipeline slug
  CICTL_BUILD             build number, or a reference
  CICTL_BASE_URL          REST API (serves all three when alone)
  CICTL_AGENT_URL         agent metrics API
  CICTL_GRAPHQL_URL       GraphQL API
  CICTL_CONFIG_DIR        folder of the profiles
  CICTL_DATA_DIR          folder of the built-in service
  CICTL_CACHE_DIR         folder of the cache
  CICTL_OUTPUT            table, tsv, json, jsonl or yaml
  CICTL_REQUEST_TIMEOUT   longest silence of the service, as 30s
  CICTL_PAGER, PAGER      pager, else less -FRX; empty for none
  CICTL_NO_INPUT          never ask
  CICTL_DEBUG             as --debug

Inside a job (BUILDKITE_BUILD_NUMBER is set) these are read too: BUILDKITE_API_TOKEN,
BUILDKITE_ORGANIZATION_SLUG, BUILDKITE_PIPELINE_SLUG, BUILDKITE_BUILD_NUMBER, BUILDKITE_BRANCH,
BUILDKITE_JOB_ID.

NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM=dumb decide on colour, in this order,
behind --color and --no-color. HTTPS_PROXY, HTTP_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS are honoured.
`,
  'exit-codes': `Exit codes

    0  done; what was waited for passed; an empty list; the reader closed the pipe
    1  the build or job that was waited for failed
    2  wrong usage or settings
    3  the build that was waited for was canceled
    4  it waits for a person (blocked)
    5  skipped or not run
    6  no credential, or not enough of one: 401, 403
    7  not found: 404, or a build or job that is not there
    8  the service refused: 400, 409, 413, 422 and other 4xx; GraphQL errors
    9  the service cannot be reached or answers wrongly: network, timeout, 429, 5xx, broken JSON
   10  a fault of this machine (file, disk, port) or of cictl itself
  124  the wait itself timed out
  130  interrupted
  143  terminated

A build is settled when it passed, failed, was canceled, was skipped, was not run or is blocked.
Several at once: the largest code. Under --json the last line of standard error is one JSON object
with the error: {"error":{"code","kind","status","message","details","hint"}}.

kind is one word: usage (2), auth (6), not_found (7), refused (8); for code 9 unreachable (nothing
answered: network, timeout, proxy), rate_limited (429 after all tries), service_failed (5xx) or
invalid_response (it answered, and the answer cannot be used); machine or internal (10), timeout
(124), interrupted (130), terminated (143).
`,
  formatting: `Formatting

Data goes to standard output, every sentence to standard error.

  -o table   on a terminal: fitted to its width, with colours and relative times
  -o tsv     in a pipe: no header, nothing shortened, RFC 3339 times; \\t \\n \\r \\\\ for tab, newline,
             carriage return and backslash; null is empty
  -o json    what the service sent, every member of it
  -o jsonl   one element a line, as its page arrives
  -o yaml    the same data as YAML

  --fields number,state,pipeline.slug   selects members; in table and TSV they are the columns
                                        any member of the answer may be named, and duration
                                        (seconds) of builds and jobs; a name that nothing has is
                                        code 2. --json=number,state is short for both flags.
                                        What changes something takes the names of the
                                        specification alone; --jq reaches the others.
  --jq '.[] | select(.state=="failed")' filters the JSON; strings are printed raw

A member of a wrong type ends a command that reads it with code 9, which names it. JSON and YAML of
lists and views read nothing, and pass it on. Deeper than 1,000 levels (YAML: 400, jq: 500) is code 9.

  cictl builds list --json --fields number,state
  cictl builds list -o jsonl --jq '.web_url'
`,
  references: `References

  TARGET   PIPELINE, ORG/PIPELINE, or an address of a pipeline or an organization.
           If omitted: flag, environment, git config cictl.pipeline, the pipeline whose repository
           is a remote of this checkout (remembered for a day) or that was added to the built-in
           service from this directory, the current profile. If several pipelines match, builds list
           and builds stats use the organization; other commands list them, with exit code 2.
  BUILD    N, latest, PIPELINE/N, PIPELINE/latest, ORG/PIPELINE/N, ORG/PIPELINE/latest, or an address.
           Left out: CICTL_BUILD, inside a job its build, else the newest build of the current branch.
           What changes something never guesses. builds watch takes the newest build of the commit that
           is checked out, and waits until there is one.
  JOB      BUILD#JOB, an address with #JOB, or JOB alone with --build. JOB is an id, a step key or an
           exact name; digits alone are a build, and need --build beside a JOB.
  COMMIT   40 hex digits, or anything that git rev-parse knows
  TIME     2026-11-20T10:00:00Z, 2026-11-20, 7d (ago), 1w, 2h30m, "3 days ago", yesterday, monday,
           "last week" (7 days ago); local without a zone
  DURATION 250ms, 90s, 15m, 1h30m; a bare number is seconds
  VALUE    where @FILE is accepted, @- is standard input
`,
};
