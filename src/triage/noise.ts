/** What a line holds that is no sign of a failure, though it reads like one. */

/** Such a line says that something is well, or what is going to run: the reason ends there. */
export const isCalm = (text: string): boolean => {
  const start = text.slice(0, mostRead);
  return calm.some((pattern) => pattern.test(start));
};

/** What takes a line of dots to its end at each of them must not get a long one. */
const mostRead = 500;

const calm = [
  /^\s*(?:\[\s*)?(?:✓|✔|√|☑|✅|◯|○|⏭|ok\b|OK\b|PASS(?:ED)?\b|pass\b|passed\b|SKIP(?:PED)?\b|succe(?:ss|eded)\b)/,
  /^\s*--- (?:PASS|SKIP|BENCH)|^=== |^\s*# Subtest|^not ok\b.*# (?:TODO|SKIP)|^\s*# +Failed \(TODO\)/,
  /(?:\.\.\.|…)\s*(?:ok|OK|passed|PASSED|skipped|done|yes)\b[^a-z]*$|\b(?:PASSED|SKIPPED|XFAIL|SUCCESS)\b(?:\s|$)|\.{2,} *Passed\b/,
  /^(?:\$ |#\d+ \[|> |% |STEP \d+)/,
  /^\s*(?:\S*[\w)]\s+)?\|?(?:\s*[\d.]+%?\s*\|){2}|^(?:\S+\s+){1,2}\d+\s+\d+\s+(?:\d+\s+)*\d+(?:\.\d+)?%|^-+\|-+|^\S+\s+[\d.]+%\s/,
  /^\s*\(?\d+(?:\.\d+)? ?m?s\)?\s+\S|^\s*\[?\d+(?:\.\d+)? ?s\]? (?:call|setup|teardown)\b/,
  /^(?!.*\b(?:not|cannot|can't|could|unable|error|fail(?:s|ed|ure)?)\b).*\b(?:Uploading|Uploaded|Downloading|Downloaded|Uploads? completed)\b|\bCreating \(\d|^\s*(?:\S+ )?artifacts?:? \S*\.\w+/i,
  /\b(?:[Rr]emov(?:ed|ing)|[Dd]elet(?:ed|ing)|[Ss]topp(?:ed|ing))\b(?!.*\b(?:failed|error)\b)/,
  /\bNo syntax errors\b/,
];

/** Such a line belongs to a report and says nothing by itself. */
export const isDetail = (text: string): boolean =>
  isFrame(text) || detail.some((pattern) => pattern.test(text));

/** A place that a stack names. */
export const isFrame = (text: string): boolean => frame.test(text);

const frame =
  /^\s+at (?:async |new )?(?:\S+ (?:\[as \S+\] )?)?\(?\S+:\d+|^\s+at [\w.$<>/]+\(|^\s*(?:#\d+\s+0x|File "|\d+: +0x)|^\s+from \S+:\d+:in\b|^\s+\S+:\d+(?::\w+)*(?: \([\w:]+\))?$/;

const detail = [
  /^\+{1,3} \S/,
  // What may be done next.
  /\b(?:for more (?:information|details)|re-?run |to see the full|please (?:refer|see)|^\S*\s*\[Help \d+\]|a complete log|run with (?:-|`|RUST_)|try:$)/i,
  // What the colours of a comparison mean.
  /^\s*[+-] (?:actual|expected|Expected|Received)\b(?: [+-]|$)/,
];

/** What is said there does not make a job fail. */
export const isForgiven = (text: string): boolean => forgiven.some((pattern) => pattern.test(text));

const forgiven = [
  /\bignor(?:ed|ing)\b|\bas (?:it should|expected)\b|\bexpected (?:failure|error)s?\b|\bxfail|\bretry(?:ing)?\b|\bretries left\b|\bwill (?:be )?retr|\ballowed to fail\b|\bskipp(?:ed|ing)\b|\bnon-?fatal\b|\|\| true\b/i,
  /\bNo such (?:container|volume|network|image|object)\b|^rm: cannot remove\b|^Error from server \(NotFound\)|\bno such process\b|\balready (?:removed|stopped)\b/i,
  /^(?!.*\b(?:error|fatal)\b: ).*\balready exists\b/i,
];

/** A warning, a remark: it may stand beside the reason, but is none. */
export const isRemark = (text: string): boolean => remark.test(text);

const remark =
  /^\s*(?:[^\w\s]+\s)?\[?(?:warn(?:ing)?|info|debug|trace|note|notice|hint|help|verbose|verb|log|deprecated|deprecation\w*)\b\]?(?!: DATA RACE|.*\*{3} (?:FAILED|ABORTED))|^[^\s:()]+[:(]\d+(?:[:,]\d+)*\)?:? (?:warning|note|info|remark)\b|^\s*\d+:\d+\s+warning\b|^npm (?:warn|verb(?:ose)?|http|notice|info|sill|timing)\b|^W: |\bDeprecationWarning\b/i;

/** A count of none: `0 errors`, `Failures: 0`. */
export const zeroCounts =
  /\b(?:0|no|zero|without(?: any)?) (?:[\w-]+ )?(?:errors?|failures?|failed|failing|problems?|warnings?|issues?)\b|\b(?:errors?|failures?|failed|fail|warnings?|unreachable|cancelled|todo)\s*[:=]\s*0\b|\b(?:fail|failed|errors?) 0\b/gi;

/** Sections in which a command gets what it needs, by their names. */
export const isPreparing = (name: string): boolean =>
  /\b(?:install\w*|dependenc\w+|packages|modules|set[ -]?up|prepar\w+|download\w*|fetch\w*|resolve|restore|pull\w*)\b/i.test(
    name,
  );

/** Sections that a command prints after its work, by their names. */
export const isAfterwards = (name: string): boolean =>
  /\b(?:coverage|summary|slow(?:est)?|caches?|clean(?:ing)?[ -]?up|tear[ -]?down|artifacts?|upload\w*|reports?|metrics|statistics|save|notif\w+|finaliz\w+)\b/i.test(
    name,
  );

/** Agents close a log by saying the exit status once more, which is reported by itself. */
export const isClosing = (text: string): boolean =>
  /(?:\bThe command exited with status -?\d+|^user command error: .*exit status -?\d+)\s*$/.test(
    text,
  );
