// A page that stands open while its server is stopped, started again and upgraded: it says so, reads again what it shows, and
// the live log goes on by itself.
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { browserOfWorker, signInto, type Browser } from '../support/browser.ts'
import { startBuiltServer } from '../support/built-server.ts'
import { install, INSTALLED, serveHere, whileServing } from '../support/installation.ts'
import { root } from '../support/sources.ts'

const UPGRADED = '99.0.0'
/** What is said of a server that is away, and nothing else. */
const AWAY = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|Failed to fetch/

let folder = ''
let env: Record<string, string> = {}
let key = ''
let browser: Browser
/** Stops the server that is running, if one is. */
let stopServer = async () => {}
beforeAll(async () => {
  ;[folder, browser] = await Promise.all([mkdtemp(join(tmpdir(), 'weir-standing-')), browserOfWorker()])
  env = { WEIR_DATA: join(folder, 'data'), LOG_LEVEL: 'silent' }
  key = await install(env)
})
afterAll(async () => {
  await stop()
  await rm(folder, { recursive: true, force: true })
})

async function stop(): Promise<void> {
  await stopServer()
  stopServer = async () => {}
}

/** Serves in this process, and at the same port later on. */
async function start(port?: number): Promise<string> {
  const { url, close } = await serveHere(env, port)
  stopServer = close
  return url
}

const call = (url: string, content: string) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content }] }),
  }).then((answer) => answer.text())

/** The built program once more, which says that it is a later one. */
async function laterProgram(): Promise<string> {
  const copy = join(folder, 'later')
  await mkdir(copy)
  for (const part of ['bin', 'dist']) await cp(join(root, part), join(copy, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as object
  await writeFile(join(copy, 'package.json'), JSON.stringify({ ...manifest, version: UPGRADED }))
  return join(copy, 'bin/weir.js')
}

it(
  'says that the server is away and was upgraded, and misses no row of the live log',
  { timeout: 120_000 },
  async () => {
    const url = await start()
    const port = Number(new URL(url).port)
    const { user, cookies } = await signInto(url, INSTALLED)
    const { page, complaints, close } = await browser.open('about:blank', { width: 1600, storage: { user } })
    page.setDefaultTimeout(30_000)
    try {
      await page.context().addCookies(cookies)
      await page.goto(`${url}/log?live=true`)
      const away = page.getByRole('alert').filter({ hasText: 'The server cannot be reached' })
      const live = page.locator('.live-bar').getByRole('status')
      await expect.poll(() => live.textContent()).toBe('Live')

      // Cut off before anything was heard: what is called meanwhile is not lost.
      await stop()
      await expect.poll(() => live.textContent()).toContain('connection was lost')
      await away.waitFor()
      await expect.poll(() => page.getByRole('heading', { name: 'Usage log' }).count()).toBe(1)
      await whileServing(env, async (elsewhere) => {
        for (const content of ['one', 'two']) await call(elsewhere, content)
      })
      await start(port)
      await expect.poll(() => live.textContent(), { timeout: 20_000 }).toBe('Live')
      await expect.poll(() => away.count(), { timeout: 20_000 }).toBe(0)
      await expect.poll(() => callsIn(page)).toBe(2)
      await call(url, 'three')
      await expect.poll(() => callsIn(page)).toBe(3)

      // Another version answers at the same place.
      const program = await laterProgram()
      await stop()
      await away.waitFor()
      const { child, ended } = await startBuiltServer(env, { port, program })
      stopServer = async () => {
        child.kill('SIGTERM')
        await ended
      }
      const upgraded = page.getByRole('status').filter({ hasText: 'Weir was upgraded' })
      await upgraded.waitFor()
      expect(await callsIn(page)).toBe(3)
      await upgraded.getByRole('button', { name: 'Reload' }).click()
      await expect.poll(() => callsIn(page)).toBe(3)
      await expect.poll(() => upgraded.count()).toBe(0)
      await expect.poll(() => live.textContent()).toBe('Live')
      expect(complaints.filter((text) => !AWAY.test(text))).toEqual([])
    } finally {
      await Promise.all([close(), stop()])
    }
  },
)

/** Rows of calls, each of which is there once. */
const callsIn = (page: Page): Promise<number> =>
  page.locator('table.rows > tbody').filter({ hasText: 'sandbox-small' }).count()
