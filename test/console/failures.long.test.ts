// A failed read is reported once: in the place of the data, or as a message, never as both.
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { root, signedIn } from './sample-data.ts'
import { SCREENS } from './screens.ts'
import { navigate, useConsole } from './visit.ts'
import { settled } from './walk/site.ts'

const site = useConsole()

const saying = (name: string) => `what ${name} has cannot be read`
/** Every endpoint that is read refuses, each in words of its own. */
const refusing = Object.fromEntries(
  [...endpointsByName]
    .filter(([name, { method }]) => method === 'GET' && name !== 'site.status')
    .map(([name]) => [name, () => ({ refuse: saying(name) })]),
)

const SHOWN = Object.entries(SCREENS).filter(([, { beforeSetup, for: who }]) => !beforeSetup && who.length > 0)

it.each([
  ['root', signedIn(root), SHOWN.filter(([, { for: who }]) => who.includes('root'))],
  ['nobody', {}, SHOWN.filter(([, { for: who }]) => !who.includes('root'))],
] as const)('every screen says each failure once to %s', async (_who, storage, screens) => {
  site.server.use(refusing)
  await site.visit('/nowhere', { storage }, async (page) => {
    const twice: string[] = []
    for (const [screen, { path }] of screens) {
      // What was told on the screen before is not counted for this one.
      await page.evaluate(() =>
        document.querySelectorAll<HTMLElement>('.toast button:last-child').forEach((button) => button.click()),
      )
      const from = site.server.asked.length
      await navigate(page, path)
      await page.locator('main > *').first().waitFor()
      await settled(page)
      await page.waitForTimeout(300)
      const text = await page.locator('body').innerText()
      const asked = [...new Set(site.server.asked.slice(from).map(({ name }) => name))].filter((name) => refusing[name])
      for (const name of asked) {
        const times = text.split(saying(name)).length - 1
        if (times > 1) twice.push(`${screen}: ${times} times ${saying(name)}`)
      }
    }
    expect(twice).toEqual([])
  })
})
