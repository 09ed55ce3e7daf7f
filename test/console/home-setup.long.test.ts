// The home page and the first-run wizard.
import { expect, it } from 'vitest'
import { signInServices } from '../../core/settings/sign-in-services.ts'
import type { Answer } from './fake-server.ts'
import { channel } from './sample-channels.ts'
import { logEntry, root, signedIn, status, token, UNUSED } from './sample-data.ts'
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
    const sample = page.getByRole('region', { name: /^snippet for/ })
    await sample.filter({ hasText: `curl ${site.server.url}/v1/chat/completions` }).waitFor()
    await page.getByText('OpenAI SDK', { exact: true }).click()
    await sample.filter({ hasText: 'from openai import OpenAI' }).waitFor()
    await page.getByRole('combobox', { name: 'Language or shell' }).selectOption('JavaScript')
    await sample.filter({ hasText: "import OpenAI from 'openai'" }).waitFor()
    // Nothing but the keyboard: the arrows go from client to client.
    await page.getByRole('radio', { name: 'OpenAI SDK' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Override OpenAI Base URL').waitFor()
    await page
      .getByRole('button', { name: `Copy ${site.server.url}/v1` })
      .first()
      .click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.server.url}/v1`)
  })
})

it('says what runs here, and which ways to sign in are on', async () => {
  const started = Date.UTC(2026, 2, 4, 5, 6, 7) / 1000
  const says = {
    system_name: 'River',
    version: '9.8.7',
    start_time: started,
    oidc_enabled: true,
    turnstile_check: true,
  }
  site.server.use({ 'site.status': () => ({ data: { ...status, ...says } }) })
  for (const language of ['en', 'zh'] as const) {
    await site.visit('/', { language }, async (page) => {
      const sheets = page
        .getByRole('region', { name: language === 'en' ? 'System status' : '系统状况' })
        .locator('.sheet')
      await sheets.first().getByText('9.8.7').waitFor()
      const lines = async (at: number) =>
        (await sheets.nth(at).locator('dl > div').allInnerTexts()).map((line) => line.split(/\s*\n\s*/))
      const [on, off] = language === 'en' ? ['enabled', 'disabled'] : ['已启用', '未启用']
      expect((await lines(0)).map(([, value]) => value).slice(0, 4)).toEqual([
        'River',
        '9.8.7',
        'weir-gateway',
        'Apache-2.0',
      ])
      await expect.poll(() => sheets.first().locator('time').getAttribute('datetime')).toBe('2026-03-04T05:06:07.000Z')
      const switches = await lines(1)
      expect(switches).toHaveLength(2 + Object.keys(signInServices).length)
      for (const [name, state] of switches)
        expect(state!.toLowerCase(), name).toBe(/OIDC|Turnstile/.test(name!) ? on : off)
    })
  }
})

it('says that its content could not be loaded, once, and tries again', async () => {
  let answered = false
  site.server.use({ 'site.home': () => (answered ? { data: '# Welcome' } : { refuse: 'out of order', status: 500 }) })
  await site.visit('/', { expected: /500/ }, async (page) => {
    await page.getByRole('alert').filter({ hasText: 'Could not load the home page' }).waitFor()
    await expect.poll(() => page.locator('.toast').count()).toBe(0)
    answered = true
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  })
})

it("shows the operator's own page without running anything in it", async () => {
  const content = '# Welcome\n\nRead **this**, [then](https://example.test/) <img src="x" onerror="window.ran = true">'
  site.server.use({ 'site.home': () => ({ data: content }) })
  await site.visit('/', {}, async (page) => {
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'then' }).getAttribute('href')).toBe('https://example.test/')
    await expect.poll(() => page.evaluate(() => 'ran' in window)).toBe(false)
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

/** A gateway in which there is nothing yet, and what comes of what is done. */
function newGateway(now = { channels: 0, models: [] as string[], missing: ['house-model'], tokens: 0, calls: 0 }) {
  return {
    'site.setupStatus': () => ({ data: { status: true, root_init: false, database_type: '', code_required: false } }),
    'attention.firstSteps': () => ({
      data: {
        ...{ channels: now.channels, models: now.models, unpriced: now.missing },
        ...{ tokens: now.tokens, newest: now.tokens ? 10 : 0, answered: now.calls > 0 },
      },
    }),
    'prices.list': () => ({ data: [{ model: 'sandbox-echo', served: true, price: {}, prices: [line(0.5), line(2)] }] }),
    'prices.set': ({ model }: Record<string, unknown>) => {
      now.missing = now.missing.filter((name) => name !== model)
      return { data: { model } }
    },
    'tokens.get': () => ({ data: token(10, { name: 'first token', ...UNUSED }) }),
    'tokens.create': () => {
      now.tokens = 1
      return { data: token(10, { name: 'first token', ...UNUSED }) }
    },
    'logs.listSelf': () => ({ data: { items: [], page: 1, page_size: 1, total: now.calls } }),
    'channels.try': () => ({ refuse: 'Incorrect API key' }) as Answer,
    'channels.create': () => {
      ;[now.channels, now.models] = [1, ['sandbox-echo', 'house-model']]
      return { data: [channel(1)] }
    },
    relay: () => ({ data: { choices: [{ message: { content: 'Hi there' } }] } }),
  }
}
const line = (usd: number) => ({ component: 'input', unit: 'token', per: 1_000_000, usd })

it('leads an administrator to a first answered call, on a phone, too, and can be left and taken up again', async () => {
  for (const options of [{ width: 1280 }, { width: 390, dark: true }]) {
    const now = { channels: 0, models: [] as string[], missing: ['house-model'], tokens: 0, calls: 0 }
    site.server.reset()
    site.server.use(newGateway(now))
    await site.visit('/setup', { ...options, storage: signedIn(root) }, async (page) => {
      await page.getByText('0 of 4 steps done').waitFor()
      const provider = page.getByRole('combobox', { name: 'Provider' })
      await provider.fill('DeepS')
      await page.keyboard.press('Enter')
      await page.getByLabel('Key', { exact: true }).last().fill('sk-wrong')
      await page.getByRole('button', { name: 'Test and add' }).click()
      // What did not answer is not kept, and says why.
      await page.getByText('It did not answer, so it was not added.').waitFor()
      await page.getByRole('alert').filter({ hasText: 'Incorrect API key' }).first().waitFor()
      expect(site.inputs('channels.create')).toEqual([])
      site.server.use({ 'channels.try': () => ({ data: null, beside: { time: 0.31 } }) })
      await page.getByRole('button', { name: 'Test and add' }).click()
      await page.getByText('1 of 4 steps done').waitFor()
      const wanted = { name: 'DeepSeek', type: 43, key: 'sk-wrong', models: 'deepseek-chat,deepseek-reasoner' }
      expect(site.inputs('channels.create')).toEqual([expect.objectContaining(wanted)])

      await page.getByText('Without a price these cannot be called: house-model').waitFor()
      await page.getByText('$0.5 / $2').waitFor()
      await page.getByRole('button', { name: 'Set price' }).click()
      await page.getByText('2 of 4 steps done').waitFor()
      expect(site.inputs('prices.set')).toEqual([{ model: 'house-model', usd: { input: 1, output: 4 } }])

      // Left, and taken up again where the server is by now.
      await page.getByRole('link', { name: 'Leave for now' }).click()
      await page.waitForURL(`${site.server.url}/`)
      await page.getByRole('link', { name: 'Go on setting up' }).click()
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('3 of 4 steps done').waitFor()

      await page.getByText('Waiting for the first call').waitFor()
      await expect.poll(() => site.server.streams()).toBe(1)
      await page.getByRole('button', { name: 'Send one from here' }).click()
      await page.getByText(/^Answered in [\d,]+ ms$/).waitFor()
      now.calls = 1
      const row = { token_id: 10, model_name: 'sandbox-echo', quota: 200, other: JSON.stringify({ frt: 312 }) }
      site.server.tell(logEntry(30, row))
      await page.getByText('Answered in 312 ms, $0.0004').waitFor()
      await page.getByRole('heading', { name: 'Your gateway answers' }).waitFor()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
      await page.getByRole('link', { name: 'See it in the usage log' }).click()
      await page.waitForURL('**/log?request_id=req-30')
    })
  }
})

it('leads a new server to its setup, checks the form and sends it', async () => {
  site.server.use({ ...notSetUp(), 'auth.login': () => ({ data: root }) })
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
    await expect.poll(() => site.inputs('auth.login')).toEqual([{ username: 'admin', password: '12345678' }])
    site.server.use({ ...newGateway(), 'site.status': () => ({ data: status }) })
    await page.getByRole('heading', { name: 'To your first answered call' }).waitFor()
  })
})

it('asks only for what is missing: no account where there is one, a code where one is needed', async () => {
  site.server.use({
    ...notSetUp({ root_init: true, code_required: true, database_type: 'postgres' }),
    'site.setup': () => ({ refuse: 'the database is away' }),
  })
  await site.visit('/setup', {}, async (page) => {
    await page.getByText('the administrator account is already initialized', { exact: false }).waitFor()
    await expect.poll(() => page.getByText('SQLite', { exact: false }).count()).toBe(0)
    await expect.poll(() => page.getByLabel('Confirm password').count()).toBe(0)
    await page.getByLabel('One-time code').last().fill('482913')
    await page.getByRole('button', { name: 'Initialize' }).click()
    await page.getByText('initialization failed, please retry').waitFor()
    expect(site.inputs('site.setup')).toMatchObject([{ code: '482913' }])
  })
})

it.each([
  ['External', false, false],
  ['Self-use', true, false],
  ['Demo site', false, true],
])('explains the modes of use, begins with that for others, and sends the chosen one: %s', async (mode, self, demo) => {
  site.server.use(notSetUp({ root_init: true }))
  await site.visit('/setup', {}, async (page) => {
    await page.getByRole('button', { name: 'Initialize' }).waitFor()
    await expect.poll(() => page.getByRole('radio').count()).toBe(3)
    await expect.poll(() => page.getByRole('radio', { name: /^External/ }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'The modes' }).click()
    const help = page.getByRole('dialog', { name: 'The modes' })
    await expect.poll(() => help.locator('dt').allInnerTexts()).toEqual(['External', 'Self-use', 'Demo site'])
    expect((await help.locator('dd').allInnerTexts()).every((text) => text.length > 30)).toBe(true)
    await page.getByRole('button', { name: 'Understood' }).click()
    await page.getByText(mode, { exact: true }).click()
    await page.getByRole('button', { name: 'Initialize' }).click()
    await page.getByText('setup success, redirecting').waitFor()
    expect(site.inputs('site.setup')).toMatchObject([{ SelfUseModeEnabled: self, DemoSiteEnabled: demo }])
  })
})

it('leaves the setup once it is done', async () => {
  await site.visit('/setup', {}, async (page) => {
    await page.waitForURL(`${site.server.url}/`)
  })
})
