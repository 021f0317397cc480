/** Adds up vitest's JSON reports, given as arguments, and prints `N passed, N failed`. */
import { readFileSync } from 'node:fs';

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) add(read(file));
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${skipped}\n`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;

function add(report) {
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests;
  sum.skipped += report.numPendingTests + report.numTodoTests;
  // A file that could not even be loaded has no tests, and a run can fail outside of all tests.
  const broken = report.testResults.filter(isBroken).length;
  const outside = !report.success && report.numFailedTests + broken === 0 ? 1 : 0;
  sum.failed += broken + outside;
}

function isBroken(file) {
  return file.status === 'failed' && file.assertionResults.length === 0;
}

/** A run that died left no report: that is one failure. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {
      numPassedTests: 0,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [],
    };
  }
}
