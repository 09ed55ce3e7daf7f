// The home page and the first-run wizard.
import { expect, it } from 'vitest'
import { status } from './sample-data.ts'
import { useConsole } from './visit.ts'

const site = useConsole()

const notSetUp = (change: object = {}) => ({
  'site.status': () => ({ data: { ...status, setup: false } }),
  'site.setupStatus': () => ({
    data: { status: false, root_init: false, database_type: 'sqlite', code_required: false, ...change },
  }),
})

it('shows where to send calls on the built-in home page', async () => {
  await site.visit('/', {}, async (page) => {
    await page.getByText(`${site.server.url}/v1`, { exact: true }).waitFor()
    await page.getByText('Python', { exact: true }).click()
    await page.getByText('from openai import OpenAI').waitFor()
  })
})

it("shows the operator's own page without running anything in it", async () => {
  const content = '# Welcome\n\nRead **this**, [then](https://example.test/) <img src="x" onerror="window.ran = true">'
  site.server.use({ 'site.home': () => ({ data: content }) })
  await site.visit('/', {}, async (page) => {
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    expect(await page.getByRole('link', { name: 'then' }).getAttribute('href')).toBe('https://example.test/')
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  })
})

it('keeps a page from elsewhere in a sandbox', async () => {
  site.server.use({ 'site.home': () => ({ data: 'https://127.0.0.1:9/home' }) })
  await site.visit('/', { expected: /ERR_|net::/ }, async (page) => {
    const frame = page.locator('iframe')
    await frame.waitFor()
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
  })
})

it('leads a new server to its setup, checks the form and sends it', async () => {
  site.server.use(notSetUp())
  await site.visit('/', {}, async (page) => {
    await page.waitForURL('**/setup')
    await page.getByText('SQLite is in use', { exact: false }).waitFor()
    const submit = page.getByRole('button', { name: 'Initialize' })
    await submit.click()
    await page.getByText('enter the administrator username').waitFor()
    await page.getByLabel('Username', { exact: true }).last().fill('admin')
    await page.getByLabel('Password', { exact: true }).last().fill('1234567')
    await submit.click()
    await page.getByText('password must be at least 8 characters').waitFor()
    await page.getByLabel('Password', { exact: true }).last().fill('12345678')
    await page.getByLabel('Confirm password').last().fill('12345679')
    await submit.click()
    await page.getByText('the two passwords do not match').waitFor()
    await page.getByLabel('Confirm password').last().fill('12345678')
    await page.getByText('Self-use', { exact: true }).click()
    await submit.click()
    await page.getByText('setup success, redirecting').waitFor()
    expect(site.inputs('site.setup')).toEqual([
      {
        username: 'admin',
        password: '12345678',
        confirmPassword: '12345678',
        code: '',
        SelfUseModeEnabled: true,
        DemoSiteEnabled: false,
      },
    ])
    site.server.reset()
    await page.waitForURL(`${site.server.url}/`)
  })
})

it('asks only for what is missing: no account where there is one, a code where one is needed', async () => {
  site.server.use({
    ...notSetUp({ root_init: true, code_required: true, database_type: 'postgres' }),
    'site.setup': () => ({ refuse: 'the database is away' }),
  })
  await site.visit('/setup', {}, async (page) => {
    await page.getByText('the administrator account is already initialized', { exact: false }).waitFor()
    expect(await page.getByText('SQLite', { exact: false }).count()).toBe(0)
    expect(await page.getByLabel('Confirm password').count()).toBe(0)
    await page.getByLabel('One-time code').last().fill('482913')
    await page.getByRole('button', { name: 'Initialize' }).click()
    await page.getByText('initialization failed, please retry').waitFor()
    expect(site.inputs('site.setup')).toMatchObject([{ code: '482913' }])
  })
})

it('leaves the setup once it is done', async () => {
  await site.visit('/setup', {}, async (page) => {
    await page.waitForURL(`${site.server.url}/`)
  })
})
