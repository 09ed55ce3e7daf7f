// Weir in a frame of another site, mounted as the examples show: signing in, going on, leaving, a session that ended, looks.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGateway } from '../../core/adapters/node.ts'
import { readConfig } from '../../core/adapters/read-config.ts'
import { browserOfWorker, type Browser } from '../support/browser.ts'
import { startExamples } from '../support/example.ts'
import { createVisitor } from '../support/server.ts'
import { sampleCases } from '../support/suite.ts'

const ROOT = { username: 'root', password: 'a root password' }

let data = ''
let browser: Browser
beforeAll(async () => {
  ;[data, browser] = await Promise.all([mkdtemp(join(tmpdir(), 'weir-frames-')), browserOfWorker()])
  const gateway = await openGateway(readConfig({ data, log_level: 'silent' }, {}, false))
  await gateway.client.site.setup({ ...ROOT, confirmPassword: ROOT.password })
  await gateway.client.tokens.create({ name: 'framed', unlimited_quota: true })
  await gateway.close()
})
afterAll(async () => {
  await rm(data, { recursive: true, force: true })
})

it.each(sampleCases(['koa', 'express', 'fastify'], 3))(
  'of %s: is shown by no site that the settings do not name, then signs in, is led, is told, and leaves',
  async (name) => {
    const { ports, stop } = await startExamples([
      [name, { WEIR_DATA: data, LOG_LEVEL: 'warn' }],
      ['portal', { WEIR_URL: 'http://127.0.0.1:$PORT/ai' }],
    ])
    const weir = `http://127.0.0.1:${ports[0]}/ai`
    const portal = `http://localhost:${ports[1]}`
    try {
      await checkRefusal(portal)
      const visitor = createVisitor(weir)
      await visitor.login(ROOT.username, ROOT.password)
      await visitor.client.settings.update({ key: 'FrameAncestors', value: `["${portal}"]` })
      const { page, complaints, close } = await browser.open(`${portal}/`)
      page.setDefaultTimeout(15_000)
      const frame = page.frameLocator('iframe')
      const state = page.locator('#state')
      const signIn = async () => {
        await frame.locator('input[aria-label="Username or email"]').fill(ROOT.username)
        await frame.locator('input[aria-label="Password"]').fill(ROOT.password)
        await frame.getByRole('button', { name: 'Sign in', exact: true }).last().click()
      }
      await state.getByText('Nobody is signed in').waitFor()
      await signIn()
      await state.getByText('Signed in').waitFor()
      await frame.getByRole('heading', { name: 'Usage log' }).waitFor()
      await page.getByRole('button', { name: 'Keys' }).click()
      await frame.getByText('framed').first().waitFor()
      // No bars, and as high as what it shows.
      await expect.poll(() => frame.locator('.top-bar, .side, .footer').count()).toBe(0)
      const readHeights = async () => ({
        shown: await frame.locator('#content').evaluate((content) => content.scrollHeight),
        given: (await page.locator('iframe').boundingBox())?.height,
      })
      await expect.poll(readHeights).toSatisfy(({ shown, given }) => shown > 100 && shown === given)
      await expect.poll(() => page.title()).toMatch(/^Portal: API tokens/)
      await page.getByRole('button', { name: 'Dark' }).click()
      await expect.poll(() => frame.locator('body').getAttribute('theme-mode')).toBe('dark')
      // It is remembered in frames of this site, and nowhere else.
      const cookies = await page.context().cookies()
      expect(cookies.filter(({ name }) => name === 'weir_session')).toMatchObject([
        {
          sameSite: 'None',
          secure: true,
          httpOnly: true,
          path: '/ai',
          partitionKey: expect.stringContaining('localhost'),
        },
      ])
      await page.reload()
      await state.getByText('Signed in').waitFor()
      // Somebody ends the session elsewhere: the login page says so, still without bars, and leads back.
      await visitor.client.users.endSessions()
      await page.getByRole('button', { name: 'Keys' }).click()
      await frame.getByText('not logged in or login expired').first().waitFor()
      await state.getByText('Nobody is signed in').waitFor()
      await expect.poll(() => frame.locator('.top-bar').count()).toBe(0)
      await signIn()
      await state.getByText('Signed in').waitFor()
      await frame.getByRole('heading', { name: /Usage log|API tokens/ }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await state.getByText('Nobody is signed in').waitFor()
      expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('weir_session')
      expect(complaints.filter((text) => !/401/.test(text))).toEqual([])
      await close()
    } finally {
      await stop()
    }
  },
  120_000,
)

/** The settings do not name the site yet, so the browser shows nothing of Weir in it. */
async function checkRefusal(portal: string): Promise<void> {
  const { page, complaints, close } = await browser.open(`${portal}/`)
  await expect.poll(() => complaints.join('\n')).toMatch(/frame-ancestors/)
  await expect.poll(() => page.frameLocator('iframe').locator('#content').count()).toBe(0)
  await close()
}
