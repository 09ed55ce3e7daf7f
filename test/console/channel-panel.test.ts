// The panel of a channel: its extra settings, tests before saving, and errors at fields.
import { expect, it } from 'vitest'
import { ChannelSetting } from '../../core/channels/channel.ts'
import { KeyedChannelForm } from '../../core/channels/contract.ts'
import { fieldsOfForm } from '../../core/contract/control.ts'
import { sampleCases } from '../support/suite.ts'
import { channel } from './sample-channels.ts'
import { root, signedIn } from './sample-data.ts'
import { useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('says where a file owns the channel, and what of it is not as the file says', async () => {
  const row = { section: 'channels', source: 'weir.yaml', applied_at: 1_760_000_000, fields: ['name', 'priority'] }
  const slug = 'openai-main'
  const get = () => ({ data: channel(7, { name: 'OpenAI main', slug }) })
  site.server.use({
    'channels.get': get,
    'state.managed': () => ({ data: [{ ...row, key: slug, drifted: ['priority'] }] }),
  })
  await site.visit('/channel/edit/7', { storage }, async (page) => {
    const note = page.getByRole('dialog', { name: 'Edit channel' }).getByRole('note', { name: 'Managed by weir.yaml' })
    await note.getByText('Different from the file: priority').waitFor()
    await expect.poll(() => note.innerText()).toContain('undone when the file is applied again')
  })
  site.server.use({ 'state.managed': () => ({ data: [{ ...row, key: 'another', drifted: [] }] }) })
  await site.visit('/channel/edit/7', { storage }, async (page) => {
    await expect.poll(() => page.getByLabel('Name', { exact: true }).last().inputValue()).toBe('OpenAI main')
    await expect.poll(() => page.getByText('Managed by').count()).toBe(0)
  })
})

it('tests what the panel says before it is saved, with the kept key where none is typed', async () => {
  await site.visit('/channel/edit/7', { storage }, async (page) => {
    const panel = page.getByRole('dialog', { name: 'Edit channel' })
    const test = panel.getByRole('button', { name: 'Test', exact: true })
    const name = panel.getByLabel('Name', { exact: true }).last()
    await expect.poll(() => name.inputValue()).toBe('OpenAI main')
    await test.click()
    await panel.getByRole('status').getByText('It answered in 642 ms').waitFor()
    // The button was busy, and has the focus still.
    expect(await test.evaluate((one) => one === document.activeElement)).toBe(true)
    // What came of it is of what was tested.
    await name.fill('Renamed')
    await expect.poll(() => panel.getByRole('status').innerText()).toBe('')
    const failing = (status: number, kind: string, field?: string) =>
      site.server.use({
        'channels.try': () => ({
          ...{ refuse: `status code ${status}: no`, code: 'channel.test_failed', field },
          beside: { time: 0.1, kind, keys: [] },
        }),
      })
    failing(401, 'key', 'key')
    await panel.getByLabel('Key', { exact: true }).last().fill('sk-other')
    await test.click()
    const atKey = panel.locator('[data-field="key"] .field-error')
    await expect.poll(() => atKey.textContent()).toBe('status code 401: no')
    await panel.getByRole('status').getByText('check the key, or use another', { exact: false }).waitFor()
    // It is said once, and nothing was to be saved.
    await expect.poll(() => page.getByText('status code 401').count()).toBe(1)
    await expect.poll(() => panel.getByText('Not saved', { exact: false }).count()).toBe(0)
    failing(429, 'limit')
    await panel.getByLabel('Key', { exact: true }).last().fill('sk-others')
    await test.click()
    const said = panel.getByRole('status').filter({ hasText: 'status code 429: no' })
    await said.getByText('wait a little, or add another key', { exact: false }).waitFor()
    await expect.poll(() => atKey.count()).toBe(0)
    const tried = (key: string, error: string) => ({ key, passed: error === '', ms: 5, status: 0, error })
    site.server.use({
      'channels.try': () => ({
        data: null,
        beside: { time: 0.642, keys: [tried('sk-***aaa', ''), tried('sk-***bbb', 'status code 401: bad')] },
      }),
    })
    await panel.getByLabel('Key', { exact: true }).last().fill('sk-other')
    await test.click()
    await panel.getByRole('status').getByText('It answered in 642 ms; 1 of 2 keys work').waitFor()
    await panel.getByText('Keys that do not work').click()
    await panel.getByRole('listitem').getByText('sk-***bbb').waitFor()
    const [kept, typed] = site.inputs('channels.try')
    expect(kept).toMatchObject({ id: 7, name: 'OpenAI main', base_url: 'https://example.test' })
    expect(kept).not.toHaveProperty('key')
    expect(typed).toMatchObject({ id: 7, name: 'Renamed', key: 'sk-other' })
    expect(site.inputs('channels.update')).toEqual([])
    await test.focus()
    await page.keyboard.press('Enter')
    await panel.getByRole('status').getByText('It answered in 642 ms; 1 of 2 keys work').waitFor()
    // So the keys of the panel go on, and do where nothing has the focus.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Discard what you have typed?' }).waitFor()
    await page.keyboard.press('Escape')
    await test.focus()
    await page.keyboard.press('Control+Enter')
    await page.getByText('channel updated').waitFor()
    expect(site.inputs('channels.update')).toMatchObject([{ id: 7, name: 'Renamed' }])
  })
})

it("has a field for every declared member of a channel's setting, and keeps the others", async () => {
  const setting = '{"headers":{"X-Team":"***"},"sandbox_delay":5,"idle_timeout_seconds":{"gpt-4o":20}}'
  site.server.use({ 'channels.get': ({ id }) => ({ data: channel(Number(id), { name: 'OpenAI main', setting }) }) })
  await site.visit('/channel/edit/7', { storage, height: 1000 }, async (page) => {
    const panel = page.getByRole('dialog', { name: 'Edit channel' })
    const fields = panel.locator('[data-field="setting"] [data-field]')
    await fields.first().waitFor()
    const shown = await fields.evaluateAll((all) =>
      all.map((field) => [
        (field as HTMLElement).dataset['field'],
        field.querySelector('.field-label')?.textContent,
        field.querySelector('.hint')?.textContent,
        field.querySelector('input, select, textarea, button') !== null,
      ]),
    )
    expect(shown).toEqual(
      Object.values(fieldsOfForm(ChannelSetting)).map(({ name, label, help }) => [
        `setting.${name}`,
        label.en,
        help.en,
        true,
      ]),
    )
    await panel.getByText('Not in this form, but editable as JSON: sandbox_delay').waitFor()
    await panel.getByLabel('Proxy', { exact: true }).last().fill('nowhere')
    await panel.getByRole('switch', { name: 'Bills cut streams' }).click()
    await panel.getByText('Enter an address that begins with http://, https://, socks5://.').waitFor()
    await panel.getByLabel('Proxy', { exact: true }).last().fill('http://proxy.test')
    const headers = panel.locator('[data-field="setting.headers"]')
    await headers.getByRole('button', { name: 'Add a row' }).click()
    await headers.getByLabel('Headers: Name 2').fill('x-team')
    await headers.getByText('This name already exists.').waitFor()
    await headers.getByLabel('Headers: Name 2').fill('X-Purpose')
    await headers.getByLabel('Headers: Value 2').fill('tests')
    const silence = panel.locator('[data-field="setting.idle_timeout_seconds"]')
    await expect
      .poll(() => silence.getByLabel('Longest silence: Model (* for all others) 1').inputValue())
      .toBe('gpt-4o')
    await silence.getByRole('button', { name: 'One for all models' }).click()
    await panel.getByRole('combobox', { name: 'When a caller hangs up' }).selectOption('finish')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('channel updated').waitFor()
    const [sent] = site.inputs('channels.update')
    expect(JSON.parse(String(sent!['setting']))).toEqual({
      ...{ headers: { 'X-Team': '***', 'X-Purpose': 'tests' }, sandbox_delay: 5, idle_timeout_seconds: 20 },
      ...{ bills_cut_streams: false, proxy: 'http://proxy.test', hang_up: 'finish' },
    })
  })
})

it('shows what the server refuses of a field at that field, which gets the focus, and nowhere else', async () => {
  // OpenAI's form has no further value.
  const names = Object.values(fieldsOfForm(KeyedChannelForm)).flatMap(({ name }) => (name === 'other' ? [] : [name]))
  await site.visit('/channel/add', { storage, height: 1000 }, async (page) => {
    await page.getByLabel('Name', { exact: true }).last().fill('Mine')
    await page.getByLabel('Key', { exact: true }).last().fill('sk-upstream')
    const wrong: string[] = []
    const members = Object.keys(fieldsOfForm(ChannelSetting)).map((name) => `setting.${name}`)
    for (const name of sampleCases([...names, ...members], 3)) {
      // What is wrong inside a field that has none of its own is wrong with it.
      const path = { setting: 'setting.undeclared', 'setting.headers': 'setting.headers.X-Team' }[name] ?? name
      site.server.use({ 'channels.create': () => ({ refuse: `wrong: ${name}`, field: path }) })
      await page.getByRole('button', { name: 'Create channel' }).click()
      await page.getByText(`wrong: ${name}`, { exact: true }).waitFor()
      const at = page.locator(`[data-field="${name}"]`)
      const said = await at.locator('.field-error').textContent()
      const focused = await at.evaluate((field) => field.contains(document.activeElement))
      if (said !== `wrong: ${name}` || !focused) wrong.push(`${name}: ${said}, ${focused}`)
    }
    expect(wrong).toEqual([])
    await expect.poll(() => page.getByText(/^wrong: /).count()).toBe(1)
    await page.getByRole('button', { name: /^Not saved: see / }).waitFor()
    // Several stand each at its field, until that is changed; the uppermost gets the focus.
    const fields = ['models', 'name', 'elsewhere'].map((name) => ({ field: name, message: `wrong: ${name}` }))
    site.server.use({ 'channels.create': () => ({ refuse: 'wrong: models', field: 'models', fields }) })
    await page.getByRole('button', { name: 'Create channel' }).click()
    const summary = page.getByRole('alert').filter({ hasText: 'Not saved: 2 fields are wrong' })
    await summary.waitFor()
    await expect.poll(() => page.locator('.field-error').allTextContents()).toEqual(['wrong: name', 'wrong: models'])
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Other')
    await page.getByRole('button', { name: 'Not saved: see Models' }).waitFor()
    await expect.poll(() => page.locator('.field-error').allTextContents()).toEqual(['wrong: models'])
    site.server.use({ 'channels.create': () => ({ refuse: 'of no field here', field: 'elsewhere' }) })
    await page.getByRole('button', { name: 'Create channel' }).click()
    await page.getByRole('alert').filter({ hasText: 'of no field here' }).waitFor()
  })
})

it.each([
  ['en', 'Submission failed, do not resubmit', 'abort'],
  ['zh', '提交未成功，请不要重复提交', 'empty'],
] as const)('does not submit a channel again whose answer was lost (%s)', async (language, sentence, way) => {
  await site.visit('/channel/add', { storage, language, expected: /ERR_|Failed to load/ }, async (page) => {
    const panel = page.getByRole('dialog').first()
    const submit = panel.locator('button[type=submit]')
    await panel.locator('[data-field="name"] input').fill('Twice')
    await panel.locator('[data-field="key"] textarea').first().fill('sk-twice')
    let sent = 0
    await page.route('**/api/channel/', (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent += 1
      if (sent > 1) return route.continue()
      return way === 'abort' ? route.abort() : route.fulfill({ status: 200, body: '' })
    })
    await submit.click()
    await page.locator('.toast').first().waitFor()
    const lists = site.inputs('channels.list').length
    await submit.click()
    await page.locator('.toast').getByText(sentence, { exact: true }).waitFor()
    expect(sent).toBe(1)
    // The list behind the panel shows whether the channel was created.
    await expect.poll(() => site.inputs('channels.list').length).toBeGreaterThan(lists)
    // Another channel may be submitted.
    await panel.locator('[data-field="name"] input').fill('Another')
    await submit.click()
    await expect.poll(() => sent).toBe(2)
  })
})
