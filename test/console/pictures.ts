// The pictures of README.md, on a real Weir that was filled by the seed: `npm run pictures`, after a build.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { Person } from './walk/seed.ts'
import { openSite, openWalker, settled } from './walk/site.ts'
import { say } from './screens/playground.ts'

const ROWS = 60
const SIZE = { width: 1280, height: 900 }
/** Of WebP, 0 to 100. */
const QUALITY = 82

interface Picture {
  path: string
  who?: Person
  open?: (page: Page) => Promise<unknown>
}

const drawn = (page: Page) => page.locator('canvas').first().waitFor()

async function comparing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add another model' }).click()
  await page.getByRole('combobox', { name: 'Model 2' }).fill('sandbox-small')
  await page.keyboard.press('Enter')
  await say(page, 'Which of you should I ask, and what does it cost?')
}

async function pricing(page: Page): Promise<void> {
  const input = page.getByRole('dialog').locator('[data-field="usd.input"] input')
  await input.fill('2.4')
  await page.locator('.price-would').waitFor()
}

/** One that was refused by a channel and answered by the next. */
async function calling(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for sandbox-large' }).first().click()
  await page.getByRole('menuitem', { name: 'Open', exact: true }).click()
  await page.getByText('Admitted').waitFor()
}

const PICTURES: Record<string, Picture> = {
  dashboard: { path: '/detail?span=month', open: drawn },
  route: { path: '/channel/route?model=gpt-4.1' },
  call: { path: '/log?span=month', open: calling },
  price: { path: '/prices?edit=gpt-4.1', open: pricing },
  playground: { path: '/playground?model=sandbox-large', open: comparing },
  wallet: { path: '/topup', who: 'user', open: (page) => page.getByText(/^Lasts/).waitFor() },
}

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
mkdirSync(folder, { recursive: true })
const site = await openSite(ROWS)
const walker = await openWalker(site)
try {
  for (const [name, { path, who = 'root', open }] of Object.entries(PICTURES)) {
    const { page, quiet, close } = await walker.open(path, { who, language: 'en', ...SIZE })
    await settled(page)
    await open?.(page)
    await quiet()
    await settled(page)
    // What begins to move ends before the picture.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
    await page.waitForTimeout(1200)
    const devtools = await page.context().newCDPSession(page)
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
    writeFileSync(`${folder}${name}.webp`, Buffer.from(data, 'base64'))
    await close()
  }
} finally {
  await walker.close()
  await site.close()
}
process.stdout.write(`Pictures are in ${folder}\n`)
