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

/** Loads an address for the first time, and returns what moved too far. */
async function watchFirstLoad(
  from: Walker,
  path: string,
  { who, language, width }: { who: Who; language: 'en' | 'zh'; width: number },
): Promise<string[]> {
  let readShifts = async (): Promise<string[]> => []
  const opened = await from.open(path, {
    ...{ who, language, width, height: 900 },
    async prepare(page) {
      readShifts = await recordShifts(page)
      await answerOneByOne(page)
    },
  })
  await settled(opened.page)
  await opened.quiet()
  await laidOut(opened.page)
  const found = (await readShifts()).map((line) => `${path}, ${language}, ${width} px: ${line}`)
  await opened.page.unrouteAll({ behavior: 'ignoreErrors' })
  await opened.close()
  return found
}

it.each(CASES)('%s stays where it is for %s', async (_name, who, { path, beforeSetup }) => {
  const found: string[] = []
  for (const language of ['en', 'zh'] as const)
    for (const width of FIRST_LOAD_WIDTHS)
      found.push(...(await watchFirstLoad(beforeSetup ? freshWalker : walker, path, { who, language, width })))
  expect(found).toEqual([])
})

it('a section of the personal settings that an address names stays where it is', { timeout: 240_000 }, async () => {
  const { page, close } = await walker.open('/personal', { who: 'root' })
  const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  await links.first().waitFor()
  const paths = await links.evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).hash))
  await close()
  expect(paths.length).toBeGreaterThan(5)
  const found: string[] = []
  for (const hash of paths)
    for (const width of FIRST_LOAD_WIDTHS)
      found.push(...(await watchFirstLoad(walker, `/personal${hash}`, { who: 'root', language: 'en', width })))
  expect(found).toEqual([])
})
