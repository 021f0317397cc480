import { compilePatterns } from '../common/v8.ts';

const endCompiling = compilePatterns();

/**
 * How likely a line is to be the reason for a failure, from 0 (impossible) to 100 (certain).
 * `text` has no prefixes. `isStrict` means that warnings are errors.
 */
export function signOf(text: string, isRed: boolean, isStrict = false): number {
  if (text.trim() === '' || isSuccess(text) || isDetail(text) || isClosing(text)) return 0;
  if (isStrict && /\bwarn/i.test(text) && isRemark(text) && !isEcho(text)) return 70;
  const sign = anySignOf(text, isRed);
  // A clear sign outranks a word such as `stopped`, which a message of failure may contain.
  return sign < clearSign && isCalmWord(text) ? 0 : sign;
}

const clearSign = 80;

function anySignOf(text: string, isRed: boolean): number {
  const counted = text.replace(zeroCounts, '');
  const words = counted.replace(paths, '/');
  const sign = best(wordPatterns, words, best(signPatterns, counted));
  // Only a location or a reason outranks an echo, which only repeats that a command failed.
  const found = (sign < 84 && best(echoPatterns, words)) || sign;
  const weight = isRed ? Math.max(found + 6, 44) : found;
  if (weight > 8 && sign < 94 && isForgiven(words)) return 8;
  return weight > 24 && isRemark(text) ? 24 : weight;
}

/** Matches file paths such as `src/errors/failed.ts`. Words in paths do not indicate an error. */
const paths = /[^\s"'`()=[\]]*\/[^\s"'`():=[\]]*/g;

/** The largest weight of a pattern that matches, or `least` if that is larger. */
function best(patterns: readonly Weighed[], text: string, least = 0): number {
  const found = patterns.find(([pattern, weight]) => weight <= least || pattern.test(text));
  return Math.max(found?.[1] ?? 0, least);
}

const byWeight = (patterns: readonly Weighed[]): readonly Weighed[] =>
  patterns.toSorted(([, one], [, other]) => other - one);

type Weighed = readonly [pattern: RegExp, weight: number];

/** From 90: the reason; from 70: the location; from 50: that something is wrong; from 30: hints. */
const signPatterns = byWeight([
  // Assertions.
  [/^E {2,}(?!File ")\S/, 96],
  [/^E {2,}(?:\w+\.)*\w*(?:Error|Exception|Failed)\b: /, 97],
  [/^E {2,}[+\-?]/, 60],
  [/\bAssertion\w*(?:Error|Failure)\b(?!['\"])|\bComparisonFailure\b|\bFailed asserting\b/, 96],
  [/\bassert(?:ion|ed)?\b.*\bfailed\b|\bpanicked at\b|^panic:|\bcheck failed\b/i, 98],
  [/\bFailure\/Error:/, 96],
  [
    /\b(?:expected|want(?:ed)?|actual)\b.*\b(?:but|got|was|found|received|actual|want|expected|to (?:be|equal|have|match|contain))\b/i,
    74,
  ],
  [/\b(?:got|received)\b.*\b(?:want|expected)\b|\bwant(?:ed)?:? .*\bgot\b|\S !==? \S/i, 78],
  [/\S, want \S/i, 78],
  [
    /^\s*(?:#\s+)?(?:Expected|Received|Actual|got|want|have|expected|received|actual|left|right|Diff|Error Trace|Messages?)(?: \w+)?:\s*\S/,
    58,
  ],
  [/\b(?:is|was|are|did|does) not (?:equal|match|contain)\b/i, 76],
  // Compilers and linters: a location, then the error.
  [
    /(?:^|[\s'"])[^\s:()]+[:(]\[?\d+(?:[:,.]\d+)*[\])]?:?(?: -)? (?:fatal |internal compiler )?error\b/i,
    99,
  ],
  [/\bfatal error\b[: ]/i, 97],
  [/^(?:error|ERROR)(?:\[\w+\]|:? [A-Z]{1,6}\d{2,5}\b)/, 99],
  [/^\[?(?:ERROR|error|e)\]?:? \S+:[[(]?\d+[,:]\d+[\])]?:? /, 99],
  [/^\s*\d+:\d+\s+(?:[✖×✘]\s+\S|error\b)/i, 97],
  [/^[A-Z]{1,4}\d{3,4} (?:\[\*\] )?\S/, 84],
  [/^\s*[╰└]─[▶>] \S/, 90],
  // Ruby names the exception at the end of the line.
  [/^\S+:\d+:in [`'].*\([A-Z][\w:]*(?:Error|Exception|Failure)\)$/, 92],
  [/^Invalid (?:read|write|free)\b/, 92],
  [/^(?:g|m|n)?make(?:\[\d+\])?: \*{3} (?!\[)\S/, 90],
  [/\bcould not resolve ["'.@/]/i, 90],
  [/^Error \[[A-Z_]+\]: \S/, 90],
  [/^\* What went wrong:/, 60],
  [/^CONFLICT \(|^\s*! \[(?:remote )?rejected\]/, 90],
  [/^\s*"msg": "\S/, 90],
  [/^(?:>> )?(?:Issue|Violation): \S/, 84],
  [/^\s*(?:\^-+|In .*:)?\s*[A-Z]{1,6}\d{2,5}\s*[([]error[)\]]/i, 97],
  [/^[^\s:()]+\.\w{1,6}:\d+(?::\d+)?: (?!warning|note|info|\d)\S/i, 72],
  [/\bundefined (?:reference|symbol)|\bunresolved external|\bcannot find -l/, 98],
  [/\bmultiple definition|\bduplicate symbol|\bUndefined symbols\b/, 98],
  [/^CMake Error\b/, 98],
  [/\bParse ?error\b|\bSyntaxError\b|\bsyntax error\b/i, 92],
  // Exceptions
  [
    /^(?:.*\b(?:Uncaught|Unhandled|Caused by|thread)\b.*? )?\[?!?\]?\s*\(?(?:[\w$]+(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception|Failure|Fault|Panic|Interrupt)\b\)?(?:\s*[[(:]|\s*$)/,
    92,
  ],
  [
    /^(?!\s*throw ).*\bUncaught\b|^(?!\s*throw ).*\bUnhandled\b.*\b(?:exception|rejection|error)\b|\bunhandled exception\b/i,
    84,
  ],
  // Perl prints the location at the end of the line.
  [/^(?!\s*(?:#|at )|Use of |Useless |.*\b(?:redefined|deprecated)\b).*\S at \S+ line \d+\.$/, 86],
  [/^Traceback \(most recent call last\)/, 70],
  [/^Caused by:/, 80],
  // Crashed or killed processes.
  [/\b(?:Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer\b|\bDATA RACE\b/, 99],
  [/: runtime error:/, 99],
  [
    /\b(?:Segmentation fault|Bus error|core dumped|Illegal instruction|Aborted(?! (?:due|with)\b)|Floating point exception)\b|\bSIG(?:SEGV|ABRT|KILL|BUS|ILL|FPE)\b/,
    94,
  ],
  [/(?:^|: |\d |: line \d+: +\d+ )Killed(?:$|\s)|\bout of memory\b|\bOOM ?Killed\b/i, 94],
  [/\boom-kill/i, 94],
  [/\bsending signal (?:TERM|KILL)|\btimed out\b|\btimeout (?:of|after|exceeded|reached)\b/i, 72],
  [/\bdeadline exceeded\b/i, 72],
  // Marks of failed tests.
  [/^\s*--- FAIL:/, 88],
  [
    /^\s*(?:✕|✖|✘|✗|×|❌|⨯|𐄂)\s*(?!(?:found )?\d+ (?:problems?|errors?|failed)\b|[Bb]uild failed|Some errors)\S/,
    86,
  ],
  [/^\s*● \S/, 88],
  [/^\s*not ok\b/, 92],
  [/^\s*#\s+Failed (?:test|\()/, 92],
  [/^\[\s*FAILED\s*\] \w+\.\w+/, 86],
  [/^(?:FAIL|ERROR):? (?:\w+ \(|\w+::)/, 84],
  [/^\s*\d+\)\s+\S/, 58],
  [/\*{3} (?:FAILED|ABORTED) \*{3}/, 88],
  [/(?:<<< (?:FAILURE|ERROR)!|\*\*\*(?:Failed|Exception|Timeout|Not Run))/, 90],
  [/^\s*FAIL(?:ED)?[ :\t]+\S/, 72],
  [/ (?:FAILED|FAIL|ERROR)(?:\s|$)/, 62],
  [/(?:\.\.\. ?|: )(?:FAILED|FAIL|ERROR|failed)$/, 74],
  [/^\s*Failed \S+ \[/, 84],
  [/^\s*(?:FAILED|FAIL)\s*$/, 45],
]);

/** Matched after paths are removed, because words in file names do not indicate an error. */
const wordPatterns = byWeight([
  [/^(?:##\[error\]|::error\b)/, 90],
  [/^npm (?:ERR!|error)|^(?:yarn )?error (?!Command)/, 68],
  [
    /^npm (?:ERR!|error) (?:\d{3} \S|notarget|peer|ERESOLVE|Could not|EACCES|Missing|Invalid|Cannot)/,
    84,
  ],
  [/^(?:\[[\w ]+\]\s*)?(?:fatal|FATAL)(?: ERROR)?\s*[:[]/, 88],
  [/^(?:[^\w\s]+ )?\[?(?:Error|ERROR|error)\]?(?::| in | -)\s*\S/, 82],
  [/^\[(?:ERROR|error|E|!|emerg|alert|crit|ALERT)\]\s*\S/, 70],
  [/^error \d+ at /, 88],
  [/\bis not (?:of type|a valid|valid)\b/i, 84],
  [/^(?:would reformat|unformatted:) \S/, 80],
  [/\b(?:not (?:up to date|in sync)|out of sync|changed (?:\w+ )?since)\b/i, 60],
  [/\bno (?:\w+ )?match(?:es|ing|ed)?\b|\bhas no \w+/i, 50],
  [/(?:^|[\s\]|:(])(?:error|ERROR|Error)(?::|\]|!| in | while | during )/, 62],
  [
    /\b(?:command not found|unbound variable|no such file or directory|permission denied|no space left|not recognized as)\b/i,
    82,
  ],
  [
    /\b(?:could not resolve|connection (?:refused|reset)|ECONNREFUSED|ENOENT|EACCES|ENOTFOUND|unauthorized|forbidden|access denied)\b/i,
    72,
  ],
  [
    /\b(?:module not found|cannot find (?:module|package|symbol)|can't resolve|is not (?:defined|exported)|has no (?:attribute|member|method)|is undefined|undeclared|unresolved)\b/i,
    86,
  ],
  [/\bdoes not meet\b/i, 86],
  [/\b(?:below|less than|under) (?:the |minimum |expected )*(?:minimum|threshold|required)\b/i, 86],
  [/\bthreshold\b.*\b(?:not met|failed|missed)\b|\bnot reached\b/i, 86],
  [
    /^\S*: (?:cannot|can't|could not|unable to|failed to|no such|invalid|missing|unknown|expected|refus)/i,
    76,
  ],
  [
    /\b(?:cannot|can't|could not|couldn't|unable to|failed to|must (?:not )?be|not allowed|invalid|missing|unknown|denied|mismatch|unexpected)(?![\w-])/i,
    48,
  ],
  [/(?<![\w.-])(?:exception|errors?|failures?|failed|fatal|fails)(?![\w-])/i, 40],
  [/\bcould(?: not|n't) (?:be )?(?:resolved?|found|find)\b/i, 78],
  [/\b(?:returned|responded with|status(?: code)?|HTTP(?:\/[\d.]+)?):? [45]\d\d\b/i, 62],
  [/\b(?:CVE-\d{4}-\d{4,}|GHSA(?:-\w{4}){3})\b/, 70],
  [/\bdifference|\bdiffer(?:s|ent)?\b|\bdrift(?:s|ed)?\b|\brejected\b|\bstale\b/i, 50],
  [/\bnot formatted\b|\bviolations?\b|\bvulnerabilit|\bexceed(?:s|ed)\b|\bconflicts?\b/i, 50],
  [/\bout of date\b|\bwould (?:reformat|change|be reformatted)\b/i, 50],
]);

/** Lines that only repeat that a command failed. The reason is above them. */
const echoPatterns = byWeight([
  [/^(?:g|m|n)?make(?:\[\d+\])?: \*\*\* \[/, 44],
  [
    /\bexit(?:ed|s|ing)?(?: with)?(?: a)?(?: non-zero)?(?: exit)?(?: code| status|:)+:? ?\(?[1-9-]|\bnon-zero (?:exit|status|code)|\bexited (?:with )?\(?[1-9]/i,
    42,
  ],
  [
    /^error: (?:could not compile|test failed|aborting due|process didn't exit|recipe |script |command )|\bld returned \d|^error Command failed|\bELIFECYCLE\b|\bLifecycle script\b|^npm (?:ERR!|error) (?:code|path|command|workspace|location|errno|syscall|A complete log)\b/i,
    40,
  ],
  [
    /\bsubcommand failed|\bbuild (?:failed|stopped|failure)|\bcompilation (?:failed|error|terminated)|\btests? (?:run )?failed\b|\bFAILED \(|\bthere (?:are|were) test failures\b|\bsome tests failed\b|^BUILD FAILED|\bfailed to execute goal\b|\btask failed|\bexecution failed\b/i,
    44,
  ],
  [/^\s*error: (?:\w+ ){1,2}failed\.?$/i, 44],
  [/^\d+ (?:files?|modules?) would (?:be|have been) \w+/, 44],
  [/\berrors (?:were |was )?(?:encountered|found|emitted|detected)\b/i, 44],
  [/\bAborted (?:due to|with)\b|\bstrict mode\b|\bwarnings (?:being )?treated as errors/i, 44],
  [
    /^\W*(?:\w+ )?(?:result|status|conclusion|outcome|verdict)\s*[:=]\s*\W*(?:fail(?:ed|ure)?|error|broken)\W*$/i,
    40,
  ],
  [
    /\b[1-9]\d* (?:\w+ )?(?:errors?|failures?|failed|failing|problems?|broken|findings?|offenses?)\b|\b(?:errors?|failures?|failed|fail|failing)\b\s*[:=]?\s*[1-9]\d*\b(?!\S)/i,
    40,
  ],
]);

export const isEcho = (text: string): boolean => best(echoPatterns, text) > 0;

/** Whether a line reports success or routine work, and does not report a failure as well. */
export const isCalm = (text: string): boolean =>
  isSuccess(text) || (isCalmWord(text) && anySignOf(text, false) < clearSign);

const isSuccess = (text: string): boolean => {
  const start = text.slice(0, mostRead);
  return calm.some((pattern) => pattern.test(start));
};

const isCalmWord = (text: string): boolean => calmWords.test(text.slice(0, mostRead));

const calmWords =
  /\b(?:PASSED|SKIPPED|XFAIL|SUCCESS)\b(?:\s|$)|\b(?:[Rr]emov(?:ed|ing)|[Dd]elet(?:ed|ing)|[Ss]topp(?:ed|ing))\b(?!.*\b(?:failed|error)\b)/;

/** In characters. Patterns that scan to the end at each dot would be too slow for longer lines. */
const mostRead = 500;

const calm = [
  /^\s*(?:\[\s*)?(?:✓|✔|√|☑|✅|◯|○|⏭|ok\b|OK\b|PASS(?:ED)?\b|pass\b|passed\b|SKIP(?:PED)?\b|succe(?:ss|eded)\b)/,
  /^\s*--- (?:PASS|SKIP|BENCH)|^=== |^\s*# Subtest|^not ok\b.*# (?:TODO|SKIP)|^\s*# +Failed \(TODO\)/,
  /(?:\.\.\.|…)\s*(?:ok|OK|passed|PASSED|skipped|done|yes)\b[^a-z]*$|\.{2,} *Passed\b/,
  /^(?:\$ |#\d+ \[|> |% |STEP \d+)/,
  /^\s*(?:\S*[\w)]\s+)?\|?(?:\s*[\d.]+%?\s*\|){2}|^(?:\S+\s+){1,2}\d+\s+\d+\s+(?:\d+\s+)*\d+(?:\.\d+)?%|^-+\|-+|^\S+\s+[\d.]+%\s/,
  /^\s*\(?\d+(?:\.\d+)? ?m?s\)?\s+\S|^\s*\[?\d+(?:\.\d+)? ?s\]? (?:call|setup|teardown)\b/,
  /^(?!.*\b(?:not|cannot|can't|could|unable|error|fail(?:s|ed|ure)?)\b).*\b(?:Uploading|Uploaded|Downloading|Downloaded|Uploads? completed)\b|\bCreating \(\d|^\s*(?:\S+ )?artifacts?:? \S*\.\w+/i,
  /\bNo syntax errors\b/,
  // Turborepo and Compose name the task that failed.
  /^Failed: +\S+#\S+$|^ *(?:Tasks|Cached|Time): +\d|^Aborting on container exit|^[\w.-]+ exited with code \d+$/,
];

export const isDetail = (text: string): boolean =>
  isFrame(text) || detail.some((pattern) => pattern.test(text));

export const isFrame = (text: string): boolean => frame.test(text);

const frame =
  /^\s+at (?:async |new )?(?:\S+ (?:\[as \S+\] )?)?\(?\S+:\d+|^\s+at [\w.$<>/]+\(|^\s*(?:#\d+\s+0x|File "|\d+: +0x)|^\s+from \S+:\d+:in\b|^\s+\S+:\d+(?::\w+)*(?: \([\w:]+\))?$/;

const detail = [
  /^\+{1,3} \S/,
  // Suggested next steps.
  /\b(?:for more (?:information|details)|re-?run |to see the full|please (?:refer|see)|^\S*\s*\[Help \d+\]|a complete log|run with (?:-|`|RUST_)|try:$)/i,
  // The legend of a diff
  /^\s*[+-] (?:actual|expected|Expected|Received)\b(?: [+-]|$)/,
];

const isForgiven = (text: string): boolean => forgiven.some((pattern) => pattern.test(text));

const forgiven = [
  /\bignor(?:ed|ing)\b|\bas (?:it should|expected)\b|\bexpected (?:failure|error)s?\b|\bxfail|\bretry(?:ing)?\b|\bretries left\b|\bwill (?:be )?retr|\ballowed to fail\b|\bskipp(?:ed|ing)\b|\bnon-?fatal\b|\|\| true\b/i,
  /\bNo such (?:container|volume|network|image|object)\b|^rm: cannot remove\b|^Error from server \(NotFound\)|\bno such process\b|\balready (?:removed|stopped)\b/i,
  /^(?!.*\b(?:error|fatal)\b: ).*\balready exists\b/i,
];

/** Whether the line is a warning or a note, which occur near the reason but are not the reason. */
export const isRemark = (text: string): boolean => remark.test(text);

const remark =
  /^\s*(?:[^\w\s]+\s)?\[?(?:warn(?:ing)?|info|debug|trace|note|notice|hint|help|verbose|verb|log|deprecated|deprecation\w*)\b\]?(?!: DATA RACE|.*\*{3} (?:FAILED|ABORTED))|^[^\s:()]+[:(]\d+(?:[:,]\d+)*\)?:? (?:warning|note|info|remark)\b|^\s*\d+:\d+\s+warning\b|^npm (?:warn|verb(?:ose)?|http|notice|info|sill|timing)\b|^W: |\bDeprecationWarning\b/i;

/** For example, `0 errors` or `Failures: 0`. */
const zeroCounts =
  /\b(?:0|no|zero|without(?: any)?) (?:[\w-]+ )?(?:errors?|failures?|failed|failing|problems?|warnings?|issues?)\b|\b(?:errors?|failures?|failed|fail|warnings?|unreachable|cancelled|todo)\s*[:=]\s*0\b|\b(?:fail|failed|errors?) 0\b/gi;

/** Whether this is the name of a section in which a command installs or fetches dependencies. */
export const isPreparing = (name: string): boolean =>
  /\b(?:install\w*|dependenc\w+|packages|modules|set[ -]?up|prepar\w+|download\w*|fetch\w*|resolve|restore|pull\w*)\b/i.test(
    name,
  );

/** Whether this is the name of a section that follows the actual work. */
export const isAfterwards = (name: string): boolean =>
  /\b(?:coverage|summary|slow(?:est)?|caches?|clean(?:ing)?[ -]?up|tear[ -]?down|artifacts?|upload\w*|reports?|metrics|statistics|save|notif\w+|finaliz\w+)\b/i.test(
    name,
  );

/** Whether this is the exit status at the end of a log, which the report includes anyway. */
export const isClosing = (text: string): boolean =>
  /(?:\bThe command exited with status -?\d+|^user command error: .*exit status -?\d+)\s*$/.test(
    text,
  );

endCompiling();
