// Pictures of every state of every screen, by theme, width and language, on a real Weir that was filled by the seed:
// `npm run screenshots [-- FOLDER --state log,tokens --widths 390,1280]`, after a build.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '../support/browser.ts'
import type { State } from './screen-facts.ts'
import { STATES } from './screens.ts'
import { turn } from './walk/looks.ts'
import { openSite, openWalker, settled, type Walker } from './walk/site.ts'

const ROWS = 60
const LANGUAGES = ['en', 'zh'] as const

const { values, positionals } = parseArgs({
  options: {
    state: { type: 'string', default: Object.keys(STATES).join() },
    widths: { type: 'string', default: '360,768,1280,1920' },
  },
  allowPositionals: true,
})
const folder = positionals[0] ?? 'screenshots'
const widths = values.widths.split(',').map(Number)
const chosen = values.state.split(',').map((name) => [name, STATES[name]!] as const)

/** One page for each width and language; the theme is changed where it stands. */
async function takePictures(walker: Walker, name: string, state: State): Promise<void> {
  for (const width of widths.filter((each) => !(state.wide && each < 900)))
    for (const language of LANGUAGES) {
      const size = { width, height: width < 600 ? 800 : 900 }
      const { page, close } = await walker.open(state.path, { who: state.who ?? 'root', language, ...size })
      await settled(page)
      try {
        await state.open?.(page)
        await settled(page)
        for (const dark of [false, true]) {
          await turn(page, language, dark)
          const path = join(
            folder,
            `${name.replaceAll(/\W+/g, '-')}-${width}-${language}-${dark ? 'dark' : 'light'}.png`,
          )
          await page.screenshot({ path, animations: 'disabled' })
        }
      } catch (error) {
        process.stderr.write(`${name}, ${width} px, ${language}: ${String(error).split('\n')[0]}\n`)
        process.exitCode = 1
      } finally {
        await close()
      }
    }
}

mkdirSync(folder, { recursive: true })
const browser = await openBrowser()
for (const beforeSetup of [false, true]) {
  const wanted = chosen.filter(([, state]) => (state.beforeSetup === true) === beforeSetup)
  if (wanted.length === 0) continue
  const site = await openSite(beforeSetup ? undefined : ROWS)
  const walker = await openWalker(site, browser)
  for (const [name, state] of wanted) await takePictures(walker, name, state)
  await site.close()
}
await browser.close()
process.stdout.write(`Pictures are in ${folder}.\n`)
