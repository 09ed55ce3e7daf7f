// A drawing and a film that the sandbox makes, seen in the console of a real Weir from their beginning to their end, without
// anybody loading the page again.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { browserOfWorker, signInto, type Browser } from '../support/browser.ts'
import { sampleCases } from '../support/suite.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { navigate } from '../console/visit.ts'

const ROOT = { username: 'root', password: 'a root password' }

let key = ''
let browser: Browser
let server: TestServer
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startTestServer(), browserOfWorker()])
  const { client } = server.gateway
  await client.site.setup({ ...ROOT, confirmPassword: ROOT.password })
  await client.channels.create({ name: 'sandbox', type: 1000, models: 'mj_imagine,sandbox-film' })
  key = `sk-${(await client.tokens.create({ name: 'first', unlimited_quota: true })).key}`
})
afterAll(() => server.close())

const submit = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status, await answer.clone().text()).toBe(200)
}

/** The console is loaded before the task begins, which is over in seconds. */
async function seen(path: string, begin: () => Promise<void>, act: (page: Page) => Promise<void>): Promise<void> {
  const { user, cookies } = await signInto(server.url, ROOT)
  const { page, close } = await browser.open('about:blank', { width: 1600, storage: { user } })
  page.setDefaultTimeout(30_000)
  try {
    await page.context().addCookies(cookies)
    await page.goto(server.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await navigate(page, '/nowhere')
    await begin()
    await navigate(page, path)
    await act(page)
  } finally {
    await close()
  }
}

const row = (page: Page) => page.getByRole('table').getByRole('row').nth(1)

/** A film begins by one call and a drawing by another; the rest of their way is the same. */
const COURSES: Record<string, () => Promise<void>> = {
  'a film goes on before the eyes of its viewer, and is played': seeFilm,
  'a drawing goes on in the same way, and its picture is shown': seeDrawing,
}

it.each(sampleCases(Object.keys(COURSES), 2))('%s', { timeout: 90_000 }, (name) => COURSES[name]!())

async function seeFilm(): Promise<void> {
  const begin = () => submit('/v1/videos', { model: 'sandbox-film', prompt: 'a river', seconds: '4' })
  await seen('/task', begin, async (page) => {
    await expect.poll(() => row(page).innerText(), { timeout: 20_000 }).toMatch(/not started|in progress|queuing/i)
    await expect.poll(() => row(page).innerText(), { timeout: 30_000 }).toMatch(/success/i)
    await row(page)
      .getByRole('button', { name: /^(Watch|Play|View)/ })
      .click()
    const film = page.locator('video')
    await film.waitFor()
    await film.evaluate((element: HTMLVideoElement) => element.load())
    await film.evaluate((element: HTMLVideoElement) => element.play().catch(() => undefined))
    await expect
      .poll(() => film.evaluate((element: HTMLVideoElement) => element.readyState), { timeout: 15_000 })
      .toBeGreaterThan(0)
    expect(await film.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(96)
  })
}

async function seeDrawing(): Promise<void> {
  await seen(
    '/midjourney',
    () => submit('/mj/submit/imagine', { prompt: 'a weir at dawn' }),
    async (page) => {
      await expect.poll(() => row(page).innerText(), { timeout: 30_000 }).toMatch(/success/i)
      await page
        .getByRole('button', { name: /View image/ })
        .first()
        .click()
      const picture = page.getByRole('dialog').locator('img')
      await picture.waitFor()
      await expect
        .poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth), { timeout: 15_000 })
        .toBe(128)
    },
  )
}
