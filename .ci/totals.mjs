// Adds up the JSON reports of vitest and prints one line. A report that is missing, and a test file that failed
// outside its tests (it could not be loaded), count as one failure each.
import { readFileSync } from "node:fs";

const totals = { passed: 0, failed: 0, skipped: 0 };
const problems = [];

for (const file of process.argv.slice(2)) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    totals.failed++;
    problems.push(`no report: ${error.message}`);
    continue;
  }
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests;
  totals.skipped += report.numPendingTests + report.numTodoTests;
  for (const { name, status, assertionResults, message } of report.testResults) {
    if (status !== "failed" || assertionResults.some((test) => test.status === "failed")) continue;
    totals.failed++;
    problems.push(`${name}: ${message}`);
  }
}

for (const problem of problems) console.log(problem);
const { passed, failed, skipped } = totals;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 ? 1 : 0;
