// Nothing jumps while a screen is loaded for the first time: some screens, each at one width, on the small site of the tests.
// first-load.long.test.ts opens all of them on a filled Weir.
import { expect, it } from 'vitest'
import { answerOneByOne, FIRST_LOAD_WIDTHS, recordShifts } from './first-load.ts'
import { root, signedIn } from './sample-data.ts'
import { FIRST_STATES, STATES } from './screens.ts'
import { useConsole } from './visit.ts'
import { laidOut } from './walk/looks.ts'
import { settled } from './walk/site.ts'
import { sampleCases } from '../support/suite.ts'

const site = useConsole()

const CASES = Object.entries(STATES)
  .filter(([name, { beforeSetup }]) => FIRST_STATES.includes(name) && !beforeSetup)
  .flatMap(([name, state]) => FIRST_LOAD_WIDTHS.map((width) => [name, width, state] as const))

/** Every fourteenth, which are screens of each kind and each width. */
it.each(sampleCases(CASES, 14))('%s stays where it is at %i px', async (_name, width, state) => {
  const storage = state.who === 'nobody' ? {} : signedIn(root)
  const { page, close } = await site.browser.open('about:blank', { storage, width, height: 900 })
  page.setDefaultTimeout(15_000)
  try {
    const readShifts = await recordShifts(page)
    await answerOneByOne(page)
    await page.goto(site.server.url + state.path)
    await settled(page)
    await state.open?.(page)
    await settled(page)
    await laidOut(page)
    expect(await readShifts()).toEqual([])
  } finally {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await close()
  }
})
