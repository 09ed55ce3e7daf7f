// Opens one screen once for a role, and checks it in both languages and themes at every width.
import type { Language } from '../../../core/errors.ts'
import { getBudget, MOST_TEXTS } from '../../../console/budgets.ts'
import type { Page } from 'playwright-core'
import { look, moving, unfit, unpainted } from './look.ts'
import type { Tally } from './report.ts'
import { SCREENS } from '../screens.ts'
import { settled, type Walker, type Watched, type Who } from './site.ts'

export const WIDTHS = [360, 390, 768, 1024, 1280, 1600, 1920]
/** Requests of a first screen, with the page, scripts, styles and texts of the console. */
const MOST_REQUESTS = 10

export interface Looked {
  screen: string
  who: Who
  rows: string
  widths?: readonly number[]
  languages?: readonly Language[]
  themes?: readonly boolean[]
  /** axe is asked at these widths. */
  axe?: readonly number[]
}

export async function lookAround(walker: Walker, at: Looked, tally: Tally): Promise<void> {
  const { screen, who, rows, widths = WIDTHS, languages = ['en', 'zh'], themes = [false, true], axe = [390, 1280] } = at
  const { path, shows, for: allowed } = SCREENS[screen]!
  const note = (where: string) => (fault: string) =>
    void tally.faults.push({ screen, where: `${who}, ${rows} rows, ${where}`, fault })
  const [first = 'en', ...others] = languages
  const weighFirstScreen = async (opened: Watched, language: Language) => {
    tally.loads += 1
    await settled(opened.page)
    await opened.quiet()
    ;(await weigh(opened, screen, language)).forEach(note(`first screen, ${language}`))
  }
  for (const language of others) {
    const opened = await walker.open(path, { who, width: 1280, height: 900, language })
    await weighFirstScreen(opened, language).finally(opened.close)
  }
  const opened = await walker.open(path, { who, width: 1280, height: 900, language: first })
  const { page } = opened
  try {
    await weighFirstScreen(opened, first)
    for (const language of languages) {
      for (const dark of themes) {
        await turn(page, language, dark)
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 })
          const where = `${language}, ${dark ? 'dark' : 'light'}, ${width} px`
          await laidOut(page)
          const seen = rows !== '0' && allowed.includes(who) ? shows : {}
          ;(await look(page, language, seen)).forEach(note(where))
          tally.looks += 1
          if (axe.includes(width)) (await unfit(page)).forEach(note(where))
        }
      }
    }
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 640, height: 450 })
    ;(await look(page, languages.at(-1) ?? 'en')).forEach(note('200 % zoom'))
    ;(await moving(page)).forEach(note('reduced motion'))
    ;(await unpainted(page)).forEach(note('forced colours'))
    ;(await look(page, languages.at(-1) ?? 'en')).forEach(note('forced colours'))
    ;[...opened.complaints, ...opened.failures].forEach(note('whole look'))
  } catch (error) {
    note('look')(`it could not be looked at: ${String(error).split('\n')[0]}`)
  } finally {
    await opened.close()
  }
}

/** A layout that follows its width does so some frames later, and a long list piece by piece. */
export const laidOut = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let still = 0, size = 0; still < 3;) {
      await new Promise(requestAnimationFrame)
      const now = document.body.innerHTML.length
      still = now === size ? still + 1 : 0
      size = now
    }
  })

/** The other language and theme, as a choice in another window makes them. */
export async function turn(page: Page, language: Language, dark: boolean): Promise<void> {
  // What was told stays in the language that it was told in.
  await page.evaluate(() =>
    document.querySelectorAll<HTMLElement>('.toast button:last-child').forEach((x) => x.click()),
  )
  await page.evaluate(
    ([tongue, theme]) => {
      localStorage.setItem('i18nextLng', tongue!)
      localStorage.setItem('theme-mode', theme!)
      window.dispatchEvent(new StorageEvent('storage'))
    },
    [language, dark ? 'dark' : 'light'],
  )
  await page.waitForFunction(
    ([tongue, theme]) =>
      document.documentElement.lang.startsWith(tongue!) &&
      (document.body.getAttribute('theme-mode') ?? 'light') === theme,
    [language, dark ? 'dark' : 'light'],
  )
}

/** Requests of the first screen, and its scripts as they came. */
async function weigh({ page, asked }: Watched, screen: string, language: Language): Promise<string[]> {
  const bytes = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
  const most = (getBudget(screen) + (language === 'en' ? 0 : MOST_TEXTS)) * 1000
  return [
    ...(asked.length > MOST_REQUESTS ? [`${asked.length} requests: ${asked.join(', ')}`] : []),
    ...(bytes > most ? [`${bytes} bytes of script, of ${most}`] : []),
  ]
}
