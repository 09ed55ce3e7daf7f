// Chromium is unpacked once, before anybody starts it: two workers that do it at once start half of a program. It is unpacked
// to the temporary folder of the system, and stays there for the next run.
import chromium from '@sparticuz/chromium'

/** The variable that names the program in the processes of a run. */
export const BROWSER_VARIABLE = 'WEIR_TEST_BROWSER'

export default async function unpackBrowser(): Promise<void> {
  process.env[BROWSER_VARIABLE] ??= await chromium.executablePath()
}
