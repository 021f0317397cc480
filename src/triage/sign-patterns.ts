/** What tools print where something failed, and how much each says of the reason. */

export type Weighed = readonly [pattern: RegExp, weight: number];

/** Weights: 90 and more name the reason, 70 the place, 50 that something is wrong, 30 merely hint. */
export const signPatterns: readonly Weighed[] = [
  // Assertions.
  [/^E {2,}\S/, 96],
  [/^E {2,}[+\-?]/, 60],
  [/\bAssertion\w*(?:Error|Failure)\b(?!['\"])|\bComparisonFailure\b|\bFailed asserting\b/, 96],
  [/\bassert(?:ion|ed)?\b.*\bfailed\b|\bpanicked at\b|^panic:|\bcheck failed\b/i, 98],
  [/\bFailure\/Error:/, 96],
  [
    /\b(?:expected|want(?:ed)?|actual)\b.*\b(?:but|got|was|found|received|actual|want|expected|to (?:be|equal|have|match|contain))\b/i,
    74,
  ],
  [
    /\b(?:got|received)\b.*\b(?:want|expected)\b|\bwant(?:ed)?:? .*\bgot\b|\S !== \S|\S, want \S/i,
    78,
  ],
  [
    /^\s*(?:#\s+)?(?:Expected|Received|Actual|got|want|have|expected|received|actual|left|right|Diff|Error Trace|Messages?)(?: \w+)?:\s*\S/,
    58,
  ],
  [/\b(?:is|was|are|did|does) not (?:equal|match|contain)\b/i, 76],
  // Compilers and linters: a place, then what is wrong.
  [
    /(?:^|[\s'"])[^\s:()]+[:(]\[?\d+(?:[:,.]\d+)*[\])]?:?(?: -)? (?:fatal |internal compiler )?error\b/i,
    99,
  ],
  [/\bfatal error\b[: ]/i, 97],
  [/^(?:error|ERROR)(?:\[\w+\]|:? [A-Z]{1,6}\d{2,5}\b)/, 99],
  [/^\[?(?:ERROR|error|e)\]?:? \S+:[[(]?\d+[,:]\d+[\])]?:? /, 99],
  [/^\s*\d+:\d+\s+[✖×]?\s*error\b/i, 97],
  [/^\s*(?:\^-+|In .*:)?\s*[A-Z]{1,6}\d{2,5}\s*[([]error[)\]]/i, 97],
  [/^[^\s:()]+\.\w{1,6}:\d+(?::\d+)?: (?!warning|note|info|\d)\S/i, 72],
  [
    /\bundefined (?:reference|symbol)|\bunresolved external|\bcannot find -l|\bmultiple definition|\bduplicate symbol|\bUndefined symbols\b/,
    98,
  ],
  [/^CMake Error\b/, 98],
  [/\bParse ?error\b|\bSyntaxError\b|\bsyntax error\b/i, 92],
  // Exceptions and their heads.
  [
    /^(?:.*\b(?:Uncaught|Unhandled|Caused by|thread)\b.*? )?\[?!?\]?\s*\(?(?:[\w$]+(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception|Failure|Fault|Panic|Interrupt)\b\)?(?:\s*[[(:]|\s*$)/,
    92,
  ],
  [/\bUncaught\b|\bUnhandled\b.*\b(?:exception|rejection|error)\b|\bunhandled exception\b/i, 84],
  // Perl says where it died at the end.
  [/^(?!\s*(?:#|at )|Use of |Useless |.*\b(?:redefined|deprecated)\b).*\S at \S+ line \d+\.$/, 86],
  [/^Traceback \(most recent call last\)/, 70],
  [/^Caused by:/, 80],
  // Ends of processes.
  [
    /\b(?:Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer\b|\bDATA RACE\b|: runtime error:/,
    99,
  ],
  [
    /\b(?:Segmentation fault|Bus error|core dumped|Illegal instruction|Aborted|Floating point exception)\b|\bSIG(?:SEGV|ABRT|KILL|BUS|ILL|FPE)\b/,
    94,
  ],
  [
    /(?:^|: |\d |: line \d+: +\d+ )Killed(?:$|\s)|\bout of memory\b|\bOOM ?Killed\b|\boom-kill/i,
    94,
  ],
  [
    /\bsending signal (?:TERM|KILL)|\btimed out\b|\btimeout (?:of|after|exceeded|reached)\b|\bdeadline exceeded\b/i,
    72,
  ],
  // Failed tests by their marks.
  [/^\s*--- FAIL:/, 88],
  [/^\s*(?:✕|✖|✘|✗|×|❌|⨯|𐄂)\s*\S/, 86],
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
];

/** The same of words, where they do not stand in paths and names. */
export const wordPatterns: readonly Weighed[] = [
  [/^(?:##\[error\]|::error\b)/, 90],
  [/^npm (?:ERR!|error)|^(?:yarn )?error (?!Command)/, 68],
  [
    /^npm (?:ERR!|error) (?:\d{3} \S|notarget|peer|ERESOLVE|Could not|EACCES|Missing|Invalid|Cannot)/,
    84,
  ],
  [/^(?:\[[\w ]+\]\s*)?(?:fatal|FATAL)(?: ERROR)?\s*[:[]/, 88],
  [/^(?:[^\w\s]+ )?\[?(?:Error|ERROR|error)\]?(?::| in | -)\s*\S/, 82],
  [/^\[(?:ERROR|error|E|!)\]\s*\S/, 70],
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
  [
    /\bdoes not meet\b|\b(?:below|less than|under) (?:the |minimum |expected )*(?:minimum|threshold|required)\b|\bthreshold\b.*\b(?:not met|failed|missed)\b|\bnot reached\b/i,
    86,
  ],
  [
    /^\S*: (?:cannot|can't|could not|unable to|failed to|no such|invalid|missing|unknown|expected|refus)/i,
    76,
  ],
  [
    /\b(?:cannot|can't|could not|couldn't|unable to|failed to|must (?:not )?be|not allowed|invalid|missing|unknown|denied|mismatch|unexpected)\b/i,
    48,
  ],
  [/(?<![\w.-])(?:exception|errors?|failures?|failed|fatal|fails)(?![\w-])/i, 40],
  [/\bcould not (?:be )?(?:resolved?|found|find)\b/i, 78],
  [/\b(?:returned|responded with|status(?: code)?|HTTP(?:\/[\d.]+)?):? [45]\d\d\b/i, 62],
  [/\b(?:CVE-\d{4}-\d{4,}|GHSA(?:-\w{4}){3})\b/, 70],
  [
    /\bdifference|\bdiffer(?:s|ent)?\b|\bdrift(?:s|ed)?\b|\brejected\b|\bstale\b|\bnot formatted\b|\bviolations?\b|\bvulnerabilit|\bexceed(?:s|ed)\b|\bconflicts?\b|\bout of date\b|\bwould (?:reformat|change|be reformatted)\b/i,
    50,
  ],
];

/** Lines that merely repeat that what was run has failed: the reason stands above them. */
export const echoPatterns: readonly Weighed[] = [
  [/^(?:g|m|n)?make(?:\[\d+\])?: \*\*\* \[/, 44],
  [
    /\bexit(?:ed|s|ing)?(?: with)?(?: a)?(?: non-zero)?(?: exit)?(?: code| status|:)+:? ?\(?[1-9-]|\bnon-zero (?:exit|status|code)|\bexited (?:with )?[1-9]/i,
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
  [
    /\b[1-9]\d* (?:\w+ )?(?:errors?|failures?|failed|failing|problems?|broken|findings?|offenses?)\b|\b(?:errors?|failures?|failed|fail|failing)\b\s*[:=]?\s*[1-9]\d*\b(?!\S)/i,
    40,
  ],
];
