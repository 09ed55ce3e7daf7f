// The first day of an operator, in a real browser: set up, sign in, two channels, a token, a streamed call, the log, the balance.
import OpenAI from 'openai'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channelFields } from '../../core/channels/channel-fields.data.ts'
import type { Language } from '../../core/errors.ts'
import { setupFields } from '../../core/site/setup-fields.data.ts'
import { tokenFields } from '../../core/tokens/token-fields.data.ts'
import { createLookup } from '../console/catalogues.ts'
import { browserOfWorker, type Browser, type OpenedPage } from '../support/browser.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { sampleCases } from '../support/suite.ts'
import { chatStream, startUpstream, type TestUpstream } from '../support/upstream.ts'

const ROOT = { username: 'root', password: 'a root password' }
const MODEL = 'gpt-4o-mini'
const USAGE = { prompt_tokens: 1000, completion_tokens: 2000, total_tokens: 3000 }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The input that a label names. */
const field = (place: Page | Locator, label: string) => place.locator(`:is(input, textarea)[aria-label="${label}"]`)

async function setUp(page: Page, language: Language, code: string) {
  const label = (name: keyof typeof setupFields) => setupFields[name].label[language]
  await field(page, label('code')).fill(code)
  await field(page, label('username')).fill(ROOT.username)
  await field(page, label('password')).fill(ROOT.password)
  await field(page, label('confirmPassword')).fill(ROOT.password)
  await button(page, createLookup(language)('Initialize')).click()
  await page.getByRole('heading', { name: createLookup(language)('To your first answered call') }).waitFor()
}

async function signIn(page: Page, url: string, t: (key: string) => string) {
  await page.goto(`${url}/login`)
  await field(page, t('Username or email')).fill(ROOT.username)
  await field(page, t('Password')).fill(ROOT.password)
  await button(page, t('Sign in')).last().click()
  await page.waitForURL('**/token')
}

async function addChannel(
  page: Page,
  url: string,
  language: Language,
  fields: { type: string; option?: string; name: string; address?: string },
) {
  await page.goto(`${url}/channel/add`)
  const panel = page.getByRole('dialog')
  await panel.getByRole('combobox').first().click()
  await page.keyboard.type(fields.type)
  await page
    .getByRole('option', { name: fields.option ?? fields.type })
    .first()
    .click()
  // While the list folds away, the form moves under a click.
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
  await field(panel, channelFields.name.label[language]).fill(fields.name)
  if (fields.address) {
    await panel.locator('textarea').first().fill('sk-upstream')
    await field(panel, channelFields.base_url.label[language]).fill(fields.address)
  }
  await button(page, createLookup(language)('Create channel_save')).click()
  await page.getByText(fields.name).first().waitFor()
}

let browser: Browser
beforeAll(async () => void (browser = await browserOfWorker()))

it('leads from the account to an answered call, and shows it in the log', async () => {
  const server = await startTestServer()
  const { page, complaints, close } = await browser.open(server.url, { width: 390, height: 844 })
  page.setDefaultTimeout(15_000)
  const t = createLookup('en')
  await page.waitForURL('**/setup')
  await setUp(page, 'en', server.gateway.setupCode)
  await page.getByRole('combobox', { name: t('Provider_setup') }).fill('Sandbox')
  await page.getByRole('option', { name: 'Sandbox' }).first().click()
  await button(page, t('Test and add')).click()
  // Its models have prices.
  await button(page, t('Create token')).click()
  await button(page, t('Send one from here')).click()
  await page.getByText(/^Answered in [\d,]+ ms, \$/).waitFor()
  await page.getByRole('heading', { name: t('Your gateway answers') }).waitFor()
  await page.getByText(t('See it in the usage log')).click()
  await page.getByText('sandbox-').first().waitFor()
  expect(complaints).toEqual([])
  await Promise.all([close(), server.close()])
}, 60_000)

describe.each(sampleCases(['en', 'zh'] as const, 2))('from nothing to a charged call, in %s', (language) => {
  let server: TestServer
  let upstream: TestUpstream
  let opened: OpenedPage

  beforeAll(async () => {
    server = await startTestServer()
    upstream = await startUpstream()
    opened = await browser.open(server.url, { language })
    opened.page.setDefaultTimeout(15_000)
  })
  afterAll(async () => {
    await opened.close()
    await server.close()
    await upstream.close()
  })

  it('works without one complaint of the browser', async () => {
    const { page, complaints } = opened
    const { url, gateway } = server
    const t = createLookup(language)

    await page.waitForURL('**/setup')
    await setUp(page, language, gateway.setupCode)
    await signIn(page, url, t)
    // The English name finds it in every language.
    const option = t('Sandbox (answers offline)')
    await addChannel(page, url, language, { type: 'sandbox', option, name: 'try it' })
    await addChannel(page, url, language, { type: 'OpenAI', name: 'real one', address: upstream.url })

    await page.goto(`${url}/token`)
    // An empty list offers it a second time.
    await button(page, t('Create token_list')).first().click()
    await field(page.getByRole('dialog'), tokenFields.name.label[language]).fill('journey')
    await button(page, t('Set unlimited')).click()
    await button(page, t('Create_save')).click()
    await page.getByText('journey').first().waitFor()

    const [listed] = (await gateway.client.tokens.list()).data
    const made = await gateway.client.tokens.get({ id: listed!.id })
    const before = await gateway.client.users.self()
    upstream.reply(chatStream(['Hello', ' you'], USAGE))
    const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: `sk-${made.key}` })
    const stream = await openai.chat.completions.create({
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    let said = ''
    for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? ''
    expect(said).toBe('Hello you')

    // gpt-4o-mini: ratio 0.075, output 4 times input.
    const charged = Math.round((1000 + 2000 * 4) * 0.075)
    const after = await gateway.client.users.self()
    expect(before.quota - after.quota).toBe(charged)

    await page.goto(`${url}/log`)
    const row = page.getByRole('row').filter({ hasText: MODEL }).first()
    await row.waitFor()
    await expect.poll(() => row.textContent()).toContain(`$${(charged / 500_000).toFixed(6)}`)
    await row.locator('.row-fold').click()
    const [entry] = (await gateway.client.logs.list({ page_size: 1 })).items
    await page.getByText(entry!.request_id).first().waitFor()
    expect(complaints).toEqual([])
  }, 120_000)
})
