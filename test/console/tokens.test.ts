// The API tokens: list, search, copy, the panel, and the moment of a new key.
import { expect, it } from 'vitest'
import { listed, logEntry, reader, root, signedIn, status, token } from './sample-data.ts'
import { fromMenu, sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('shows tokens with their state, masks keys and copies them whole', async () => {
  await site.visit('/token', { storage, width: 1600 }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'production' })
    await row.waitFor()
    for (const text of ['vip', 'Enabled', '$0.2469', 'Unlimited', 'Never'])
      await expect.poll(() => row.innerText()).toContain(text)
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'laptop' }).innerText()).toContain('Disabled')
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'old script' }).innerText()).toContain('Expired')
    const { key } = token(3)
    expect(await row.innerText()).not.toContain(key)
    await row.getByRole('button', { name: 'Copy production' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`sk-${key}`)
    await row.getByRole('button', { name: 'Show the key: production' }).click()
    await row.getByText(`sk-${key}`).waitFor()
    await page.getByRole('button', { name: 'Copy selected tokens' }).click()
    await page.getByText('Please select at least one token!').waitFor()
  })
})

it('shows how much of each budget is used and when it starts anew, and all that bounds a token', async () => {
  for (const options of [{ storage }, { storage, width: 390 }]) {
    await site.visit('/token', options, async (page) => {
      await page.getByRole('button', { name: 'Details of production' }).click()
      const budget = (name: string) => page.getByRole('meter', { name, exact: true })
      // The one that ends first stands in the list.
      await expect.poll(() => budget('month').innerText()).toContain('$9.20 of $10.00 a month')
      await expect.poll(() => budget('Budget of a day').innerText()).toMatch(/\$0\.50 of \$1\.00.*renews in 1 hour/)
      await expect.poll(() => budget('Budget of a day').getAttribute('aria-valuenow')).toBe('250000')
      await expect.poll(() => page.getByText('gpt-4o-mini', { exact: true }).count()).toBe(1)
      for (const text of ['100,000', '10.0.0.0/8', 'research']) await page.getByText(text, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Details of laptop' }).click()
      await page.getByText('Calls of this token').last().click()
      await page.waitForURL('**/log?token_name=laptop')
    })
  }
})

it('makes a token of a team, with budgets, limits and fallback models in their order', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Create token' }).click()
    const panel = page.getByRole('dialog', { name: 'New API token' })
    await panel.getByLabel('Name', { exact: true }).last().fill('bounded')
    const pick = async (field: string, value: string) => {
      await panel.getByRole('combobox', { name: field }).fill(value)
      await page.keyboard.press('Enter')
    }
    await pick('Team', 'res')
    await panel.getByLabel('Budget of a week').last().fill('1.40')
    await pick('Time zone', 'Europe/Ber')
    await panel.getByLabel('Tokens per minute').last().fill('9000')
    await pick('Fallback models', 'deep')
    await pick('Fallback models', 'gpt-4o-mini')
    await page.keyboard.press('Escape')
    await panel.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    expect(site.inputs('tokens.create')).toEqual([
      expect.objectContaining({
        ...{ name: 'bounded', team_id: 70, budget_day: 0, budget_week: 700_000, time_zone: 'Europe/Berlin' },
        ...{ tokens_per_minute: 9000, fallback_models: 'deepseek-chat,gpt-4o-mini' },
      }),
    ])
  })
})

it('switches, copies and deletes several at once, and opens a chat with the key', async () => {
  site.server.use({
    'site.status': () => ({ data: { ...status, chats: [{ Lobby: 'https://chat.test/?k={key}&a={address}' }] } }),
  })
  await site.visit('/token', { storage }, async (page) => {
    for (const name of ['production', 'laptop']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByRole('button', { name: 'Copy selected tokens' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`production    sk-${token(3).key}\nlaptop    sk-${token(2).key}`)
    await bar.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('production disabled').first().waitFor()
    // What is disabled already stays as it is.
    expect(site.inputs('tokens.update')).toEqual([{ status_only: 'true', id: 3, status: 2 }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => site.inputs('tokens.update').at(-1)).toEqual({ status_only: 'true', id: 3, status: 1 })
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Delete these 2 tokens?').waitFor()
    await page.keyboard.press('Escape')

    const opened = page.context().waitForEvent('page')
    await page.context().route('https://chat.test/**', (route) => route.fulfill({ body: 'chat' }))
    await fromMenu(page, 'production', 'Chat: Lobby')
    const address = encodeURIComponent(site.server.url)
    expect((await opened).url()).toBe(`https://chat.test/?k=sk-${token(3).key}&a=${address}`)
  })
})

it('says which rows hold a number that cannot be read exactly, on a phone too', async () => {
  site.server.use({
    'tokens.list': () => listed([token(3, { name: 'much', unreadable: ['remain_quota'] }), token(2, { name: 'few' })]),
  })
  for (const options of [{ storage }, { storage, width: 390 }]) {
    await site.visit('/token', options, async (page) => {
      const row = page.locator('table.rows tbody, li.card')
      await row.filter({ hasText: 'much' }).getByText('cannot be read exactly: remain_quota').waitFor()
      expect(await row.filter({ hasText: 'few' }).innerText()).not.toContain('cannot be read')
    })
  }
})

it('searches on Enter and keeps the search in the address', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByLabel('Keyword').fill('prod')
    await page.keyboard.press('Enter')
    await page.getByText('found prod').waitFor()
    expect(page.url()).toContain('keyword=prod')
    await page.reload()
    await page.getByText('found prod').waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('production').waitFor()
  })
})

it('makes several tokens: the later names get six random characters', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('enter a name').first().waitFor()
    await page.getByLabel('Name', { exact: true }).last().fill('batch')
    await page.getByRole('button', { name: '1 day' }).click()
    await page.getByRole('button', { name: '$10', exact: true }).click()
    await page.getByLabel('Count', { exact: true }).last().fill('3')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('token created, copy it from the list').waitFor()
    const made = site.inputs('tokens.create')
    expect(made.map(({ name }) => name)).toEqual([
      'batch',
      expect.stringMatching(/^batch-\w{6}$/),
      expect.stringMatching(/^batch-\w{6}$/),
    ])
    expect(made[0]).toMatchObject({ remain_quota: 5_000_000, unlimited_quota: false, model_limits: '', group: '' })
    expect(Number(made[0]?.['expired_time']) - Date.now() / 1000).toBeGreaterThan(86_000)
    const keys = page.getByRole('dialog', { name: 'Your 3 new keys' })
    await keys.getByRole('button', { name: 'Copy keys' }).click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied).toMatch(/^batch {4}sk-\w{48}\nbatch-\w{6} {4}sk-\w{48}\nbatch-\w{6} {4}sk-\w{48}$/)
    await keys.getByRole('button', { name: 'Done' }).click()
  })
})

it('changes a token and shows the outcome of a switch without asking again', async () => {
  await site.visit('/token', { storage }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    await fromMenu(page, 'laptop', 'Enable')
    await row.getByText('enabled').waitFor()
    expect(site.inputs('tokens.update')).toEqual([{ status_only: 'true', id: 2, status: 1 }])
    expect(site.inputs('tokens.list')).toHaveLength(1)
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Set unlimited' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('token updated').waitFor()
    expect(site.inputs('tokens.update')[1]).toMatchObject({
      ...{ id: 2, version: expect.any(Number), unlimited_quota: true, model_limits: 'gpt-4o' },
    })
  })
})

const FAILED = {
  ...{ id: 21, type: 5, token_id: 10, quota: 0, content: 'Incorrect API key', channel: 7, request_id: 'req-failed' },
  other: JSON.stringify({ status_code: 401, error_code: 'invalid_api_key', frt: 0 }),
}
const ANSWERED = {
  ...{ token_id: 10, model_name: 'gpt-4o', quota: 200, prompt_tokens: 12, completion_tokens: 5 },
  other: JSON.stringify({ frt: 312 }),
}

it('shows a new key once, what to paste, and the first call as it comes', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name', { exact: true }).last().fill('laptop')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your new key' })
    const key = `sk-${token(10).key}`
    await dialog.getByRole('button', { name: `Copy ${key}`, exact: true }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    const snippet = dialog.getByRole('region', { name: /^snippet for/ })
    await snippet.filter({ hasText: `ANTHROPIC_BASE_URL=${site.server.url} ANTHROPIC_AUTH_TOKEN=${key}` }).waitFor()
    await dialog.getByText('curl', { exact: true }).click()
    await snippet.filter({ hasText: '"model":"gpt-4o-mini"' }).waitFor()

    const state = dialog.getByRole('status')
    await state.getByText('Waiting for the first call').waitFor()
    await expect.poll(() => site.inputs('logs.streamSelf')).toEqual([{ token_name: 'laptop', tail: '0' }])
    await expect.poll(() => site.server.streams()).toBe(1)
    // Another token of this name is another's matter.
    site.server.tell(logEntry(20, { ...ANSWERED, token_id: 11, quota: 999_999 }))
    site.server.tell(logEntry(21, FAILED))
    await state.getByText('The call failed: Incorrect API key').waitFor()
    await state.getByText('The provider did not answer properly').waitFor()
    await expect.poll(() => state.getByRole('link').getAttribute('href')).toContain('/log?request_id=req-failed')
    site.server.tell(logEntry(22, ANSWERED))
    await state.getByText('Answered in 312 ms, $0.0004').waitFor()
    await state.getByText('gpt-4o, 12 tokens in, 5 out.').waitFor()

    // Nothing goes on when it is closed.
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => site.server.streams()).toBe(0)
  })
})

it('sends a first call from the page, says what refused it and what to do, and shows the key of an older token', async () => {
  site.server.use({
    relay: () => ({ refuse: 'No available channel for model o3', status: 503, code: 'model_not_found' }),
    'logs.streamSelf': () => ({ refuse: 'You follow the log 5 times already', status: 429 }),
  })
  await site.visit('/token', { storage: signedIn(reader), expected: /503|429/ }, async (page) => {
    await fromMenu(page, 'laptop', 'Connect a client')
    const dialog = page.getByRole('dialog', { name: 'Connect a client' })
    await dialog.getByText('This page cannot show when a call arrives', { exact: false }).waitFor()
    // It may call one model alone.
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('gpt-4o')
    await dialog.getByRole('button', { name: 'Send one from here' }).click()
    await dialog.getByText('The call failed: No available channel for model o3').waitFor()
    await dialog.getByText('choose another model, or another group').waitFor()
    site.server.use({ relay: () => ({ data: { choices: [{ message: { content: 'Hi there' } }] } }) })
    await dialog.getByRole('button', { name: 'Send another' }).click()
    await dialog.getByText(/^Answered in [\d,]+ ms$/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })
})

it('deletes only after a yes', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await fromMenu(page, 'laptop', 'Delete')
    await page.getByText(/^Delete token .+\?$/).waitFor()
    expect(site.inputs('tokens.delete')).toEqual([])
    await sayYes(page, 'Delete')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('token deleted').waitFor()
    expect(site.inputs('tokens.delete')).toEqual([{ id: '2' }])
  })
})

it('says what to do where there is no token, and shows units where the site does not show money', async () => {
  site.server.use({
    'tokens.list': () => listed([]),
    'groups.usable': () => ({ data: {} }),
    'site.status': () => ({ data: { ...status, display_in_currency: false } }),
  })
  await site.visit('/token', { storage, width: 390, height: 844, dark: true }, async (page) => {
    await page.getByText('No API token yet').waitFor()
    await page.getByRole('button', { name: 'Create token' }).last().click()
    await page.getByRole('button', { name: '5.0M', exact: true }).waitFor()
    await page.getByPlaceholder('Administrator has not set user-selectable groups').waitFor()
    const panel = page.getByRole('dialog')
    expect((await panel.boundingBox())?.width).toBeCloseTo(390, 2)
  })
})
