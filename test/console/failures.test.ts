// What could not be read is said once: where it would stand, or as a message, never as both.
import { expect, it } from 'vitest'
import { endpoints } from '../../core/contracts.ts'
import { root, signedIn } from './sample-data.ts'
import { SCREENS } from './screens.ts'
import { useConsole } from './visit.ts'
import { settled } from './walk/site.ts'

const site = useConsole()

const saying = (name: string) => `what ${name} has cannot be read`
/** Every endpoint that is read refuses, each in words of its own. */
const refusing = Object.fromEntries(
  [...endpoints]
    .filter(([name, { method }]) => method === 'GET' && name !== 'site.status')
    .map(([name]) => [name, () => ({ refuse: saying(name) })]),
)

it.each(Object.entries(SCREENS).filter(([, { beforeSetup, for: who }]) => !beforeSetup && who.length > 0))(
  '%s says each failure once',
  async (_name, { path, for: who }) => {
    site.server.use(refusing)
    const from = site.server.asked.length
    const storage = who.includes('root') ? signedIn(root) : {}
    await site.visit(path, { storage }, async (page) => {
      await page.locator('main > *').first().waitFor()
      await settled(page)
      await page.waitForTimeout(300)
      const text = await page.locator('body').innerText()
      const asked = [...new Set(site.server.asked.slice(from).map(({ name }) => name))].filter((name) => refusing[name])
      const times = asked.map((name) => [name, text.split(saying(name)).length - 1] as const)
      expect(times.filter(([, said]) => said > 1)).toEqual([])
    })
  },
)
