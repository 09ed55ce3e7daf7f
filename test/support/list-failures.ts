// One test for many cases that lists every case that fails, instead of one test for each of them.

/** Checks the cases one after another; returns a line for each that fails: its name, and what is wrong. No cases is a failure. */
export async function listFailures<Case>(
  cases: readonly Case[],
  nameCase: (one: Case) => string,
  check: (one: Case) => Promise<unknown> | unknown,
): Promise<string[]> {
  const failures: string[] = cases.length === 0 ? ['There is no case to check.'] : []
  for (const one of cases) {
    try {
      await check(one)
    } catch (error) {
      failures.push(`${nameCase(one)}: ${describeFailure(error)}`)
    }
  }
  return failures
}

/** The message, both sides of a comparison that failed, and the line of the test. */
function describeFailure(error: unknown): string {
  const { message, actual, expected, stack = '' } = error as Error & { actual?: unknown; expected?: unknown }
  const place = /[\w.-]+\.test\.tsx?:\d+/.exec(stack)?.[0] ?? ''
  const sides = actual === undefined && expected === undefined ? '' : `\n  was ${show(actual)}\n  not ${show(expected)}`
  return `${message ?? String(error)} (${place})${sides}`
}

const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 500)
