// The log as it is written, on a real Weir that dies, comes back and is upgraded, before the eyes of who follows it.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, signInto, type Browser } from '../support/browser.ts'
import { startBuiltServer, type BuiltServer } from '../support/built-server.ts'
import { install, INSTALLED } from '../support/installation.ts'
import { root } from '../support/sources.ts'

let folder = ''
let key = ''
let browser: Browser
let server: BuiltServer
let env: Record<string, string>
beforeAll(async () => {
  ;[folder, browser] = await Promise.all([mkdtemp(join(tmpdir(), 'weir-live-log-')), openBrowser()])
  env = { WEIR_DATA: join(folder, 'data'), LOG_LEVEL: 'silent' }
  key = await install(env, { type: 1000, models: 'sandbox-small,sandbox-large' })
  server = await startBuiltServer(env)
})
afterAll(async () => {
  server?.child.kill('SIGTERM')
  await Promise.all([browser?.close(), server?.ended])
  await rm(folder, { recursive: true, force: true })
})

const call = async (model: string) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] })
  const answer = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })
  expect(answer.status, await answer.clone().text()).toBe(200)
}

/** Another version of the program, in a folder of its own. */
async function upgraded(): Promise<string> {
  const there = join(folder, 'upgraded')
  for (const part of ['bin', 'dist']) await cp(join(root, part), join(there, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(there, 'node_modules'))
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  await writeFile(join(there, 'package.json'), JSON.stringify({ ...manifest, version: `${manifest.version}-next` }))
  return join(there, 'bin/weir.js')
}

it(
  'says that it is away, goes on by itself, misses nothing, and says that it was upgraded',
  { timeout: 180_000 },
  async () => {
    const program = await upgraded()
    const { user, cookies } = await signInto(server.url, INSTALLED)
    const { page, close } = await browser.open('about:blank', { width: 1600, storage: { user } })
    page.setDefaultTimeout(30_000)
    try {
      await page.context().addCookies(cookies)
      await page.goto(`${server.url}/log`)
      await page.getByRole('button', { name: 'Live' }).click()
      const bar = page.locator('.live-bar')
      await bar.getByText('Live', { exact: true }).waitFor()
      const rows = (model: string) => page.getByRole('table').getByRole('row').filter({ hasText: model })
      await call('sandbox-small')
      await rows('sandbox-small').first().waitFor()

      server.child.kill('SIGKILL')
      await server.ended
      await bar.getByText('The connection was lost; trying again…').waitFor()
      const away = page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' })
      await away.waitFor()
      // What was read stands.
      await rows('sandbox-small').first().waitFor()

      server = await startBuiltServer(env, { port: Number(new URL(server.url).port), program })
      // Before the page has noticed.
      await call('sandbox-large')
      await bar.getByText('Live', { exact: true }).waitFor()
      await rows('sandbox-large').first().waitFor()
      await away.waitFor({ state: 'detached' })
      await page.getByRole('status').filter({ hasText: 'Weir was upgraded' }).waitFor()
      await call('sandbox-large')
      await expect.poll(() => rows('sandbox-large').count(), { timeout: 20_000 }).toBe(2)
    } finally {
      await close()
    }
  },
)
