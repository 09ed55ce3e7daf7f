// Nothing jumps while a screen is loaded for the first time: every screen of a filled Weir at three widths, in both languages.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { browserOfWorker } from '../support/browser.ts'
import { answerOneByOne, FIRST_LOAD_WIDTHS, recordShifts } from './first-load.ts'
import { SCREENS } from './screens.ts'
import { laidOut } from './walk/looks.ts'
import { openSite, openWalker, settled, type Site, type Walker, type Who } from './walk/site.ts'

const ROWS = 60

let site: Site
let fresh: Site
let walker: Walker
let freshWalker: Walker
beforeAll(async () => {
  const [browser, ...sites] = await Promise.all([browserOfWorker(), openSite(ROWS), openSite()])
  ;[site, fresh] = sites
  walker = await openWalker(site, browser)
  freshWalker = await openWalker(fresh, browser)
})
afterAll(async () => {
  await Promise.all([site?.close(), fresh?.close()])
})

const CASES = Object.entries(SCREENS).flatMap(([name, screen]) =>
  screen.for.slice(-1).map((who): [string, Who, typeof screen] => [name, who, screen]),
)

it.each(CASES)('%s stays where it is for %s', async (_name, who, { path, beforeSetup }) => {
  const found: string[] = []
  for (const language of ['en', 'zh'] as const)
    for (const width of FIRST_LOAD_WIDTHS) {
      let readShifts = async (): Promise<string[]> => []
      const opened = await (beforeSetup ? freshWalker : walker).open(path, {
        ...{ who, language, width, height: 900 },
        async prepare(page) {
          readShifts = await recordShifts(page)
          await answerOneByOne(page)
        },
      })
      await settled(opened.page)
      await opened.quiet()
      await laidOut(opened.page)
      found.push(...(await readShifts()).map((line) => `${language}, ${width} px: ${line}`))
      await opened.page.unrouteAll({ behavior: 'ignoreErrors' })
      await opened.close()
    }
  expect(found).toEqual([])
})
