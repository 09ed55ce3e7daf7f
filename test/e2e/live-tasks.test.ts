// A drawing and a film that the sandbox makes, seen in the console of a real Weir from their beginning to their end, without
// anybody loading the page again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { openBrowser, signInto, type Browser } from '../support/browser.ts'
import { startBuiltServer, type BuiltServer } from '../support/built-server.ts'
import { install, INSTALLED } from '../support/installation.ts'

let folder = ''
let key = ''
let browser: Browser
let server: BuiltServer
beforeAll(async () => {
  ;[folder, browser] = await Promise.all([mkdtemp(join(tmpdir(), 'weir-live-tasks-')), openBrowser()])
  const env = { WEIR_DATA: join(folder, 'data'), LOG_LEVEL: 'silent' }
  key = await install(env, { type: 1000, models: 'mj_imagine,sandbox-film' })
  server = await startBuiltServer(env)
})
afterAll(async () => {
  server?.child.kill('SIGTERM')
  await Promise.all([browser?.close(), server?.ended])
  await rm(folder, { recursive: true, force: true })
})

const submit = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status, await answer.clone().text()).toBe(200)
}

async function seen(path: string, act: (page: Page) => Promise<void>): Promise<void> {
  const { user, cookies } = await signInto(server.url, INSTALLED)
  const { page, close } = await browser.open('about:blank', { width: 1600, storage: { user } })
  page.setDefaultTimeout(30_000)
  try {
    await page.context().addCookies(cookies)
    await page.goto(server.url + path)
    await act(page)
  } finally {
    await close()
  }
}

const row = (page: Page) => page.getByRole('table').getByRole('row').nth(1)

it('a film goes on before the eyes of who looks, and is played', { timeout: 90_000 }, async () => {
  await submit('/v1/videos', { model: 'sandbox-film', prompt: 'a river', seconds: '4' })
  await seen('/task', async (page) => {
    await expect.poll(() => row(page).innerText(), { timeout: 20_000 }).toMatch(/not started|in progress|queuing/)
    await expect.poll(() => row(page).innerText(), { timeout: 30_000 }).toContain('success')
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
})

it('a drawing goes on in the same way, and its picture is shown', { timeout: 90_000 }, async () => {
  await submit('/mj/submit/imagine', { prompt: 'a weir at dawn' })
  await seen('/midjourney', async (page) => {
    await expect.poll(() => row(page).innerText(), { timeout: 30_000 }).toContain('success')
    await page
      .getByRole('button', { name: /View image/ })
      .first()
      .click()
    const picture = page.getByRole('dialog').locator('img')
    await picture.waitFor()
    await expect
      .poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth), { timeout: 15_000 })
      .toBe(128)
  })
})
