// The channels: list, order, test, and the panel with its own addresses.
import { expect, it } from 'vitest'
import { health } from './sample-channels.ts'
import { NOW, root, signedIn } from './sample-data.ts'
import { fromMenu, sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('shows state, reason and speed, and shades what is out of use', async () => {
  await site.visit('/channel', { storage }, async (page) => {
    const spare = page.getByRole('row').filter({ hasText: 'OpenAI spare' })
    await spare.getByText('automatically disabled').hover()
    await page.getByText('reason: Incorrect API key', { exact: false }).waitFor()
    // Off by hand or by itself: either is out of use.
    for (const [name, isShaded] of Object.entries({ 'OpenAI main': false, 'OpenAI spare': true, Practice: true })) {
      const row = page.getByRole('row').filter({ hasText: name }).locator('xpath=..')
      await expect
        .poll(async () => ((await row.getAttribute('class')) ?? '').includes('row-shaded'), { message: name })
        .toBe(isShaded)
    }
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'OpenAI main' }).innerText()).toContain('642 ms')
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Practice' }).innerText()).toContain('Sandbox')
  })
})

it('tests a channel, with the model of choice too, and shows the time', async () => {
  await site.visit('/channel', { storage }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'OpenAI spare' })
    await row.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('channel OpenAI spare passed, 1.25 seconds').waitFor()
    await row.getByText('1,250 ms').waitFor()
    await fromMenu(page, 'OpenAI spare', 'Test models and keys')
    const dialog = page.getByRole('dialog', { name: 'Test OpenAI spare' })
    await dialog.getByLabel('Search models').fill('mini')
    await dialog.getByText('1 of 2 models').waitFor()
    await dialog.getByRole('button', { name: 'gpt-4o-mini: Test' }).click()
    await dialog.getByText('1,250 ms', { exact: true }).waitFor()
    await expect.poll(() => site.inputs('channels.test')).toEqual([{ id: '5' }, { id: '5', model: 'gpt-4o-mini' }])
  })
})

it('shows how a channel did, and a test that failed as failed with its reason', async () => {
  site.server.use({
    'channels.health': () => ({ data: { from: NOW, channels: [health(7), health(5, 'Incorrect API key')] } }),
  })
  await site.visit('/channel', { storage, width: 1600, expected: /400/ }, async (page) => {
    const spare = page.getByRole('row').filter({ hasText: 'OpenAI spare' })
    await spare.getByText('test failed').hover()
    await page.getByRole('tooltip').filter({ hasText: 'gpt-4o: Incorrect API key' }).waitFor()
    const main = page.getByRole('row').filter({ hasText: 'OpenAI main' })
    await main.getByRole('img', { name: /^\d+ answered, \d+ failed: 9\d(\.\d)?%$/ }).waitFor()
    site.server.use({ 'channels.test': () => ({ refuse: 'The key is wrong', status: 400 }) })
    const before = site.inputs('channels.health').length
    await main.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'The key is wrong' }).waitFor()
    await expect.poll(() => site.inputs('channels.health').length).toBe(before + 1)
  })
})

it('changes priority in the row, refuses what is no whole number, and switches a channel off', async () => {
  await site.visit('/channel', { storage }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'OpenAI main' })
    const weight = row.getByLabel('Weight OpenAI main')
    await weight.fill('-1')
    await weight.press('Enter')
    await page.getByText('weight must be a non-negative integer').waitFor()
    await row.getByLabel('Priority OpenAI main').fill('25')
    await row.getByLabel('Priority OpenAI main').press('Enter')
    await expect.poll(() => site.inputs('channels.update')).toEqual([{ id: 7, priority: 25 }])
    await fromMenu(page, 'OpenAI main', 'Disable')
    await row.getByText('manually disabled').waitFor()
    expect(site.inputs('channels.update')[1]).toEqual({ id: 7, status: 2 })
  })
})

it('makes a channel: checks name, key, models and mapping, and warns of /v1', async () => {
  await site.visit('/channel/add', { storage, height: 1000 }, async (page) => {
    const submit = page.getByRole('button', { name: 'Create channel' })
    await submit.click()
    await page.getByText('Please fill in channel name and key!').first().waitFor()
    await page.getByRole('button', { name: 'Fetch model list' }).click()
    await page.getByText('Please fill in the key', { exact: true }).waitFor()
    const field = (label: string) => page.getByLabel(label, { exact: true }).last()
    await field('Name').fill('Mine')
    await field('Key').fill('sk-upstream')
    await field('API address').fill('https://example.test/v1')
    await field('Organization').focus()
    await page.getByRole('button', { name: 'Clear all models' }).click()
    await submit.click()
    await page.getByText('Please select at least one model!').waitFor()
    await page.getByRole('button', { name: 'Fetch model list' }).click()
    const list = page.getByRole('dialog', { name: 'Models of Mine' })
    await list.getByText('theirs').click()
    await list.getByRole('button', { name: 'Apply' }).click()
    await list.waitFor({ state: 'hidden' })
    expect(site.inputs('channels.fetchModelsNew')).toEqual([
      { type: 1, base_url: 'https://example.test/v1', key: 'sk-upstream' },
    ])
    await page.getByRole('button', { name: 'Clear all models' }).click()
    await field('Custom model name').fill('alpha, beta')
    await field('Custom model name').press('Enter')
    await field('Custom model name').fill('beta')
    await field('Custom model name').press('Enter')
    await page.getByText('Some models already exist!').waitFor()
    await field('Model mapping').fill('{')
    await submit.click()
    await page.getByText('model_mapping must be valid JSON').waitFor()
    await page.getByText('Not a valid JSON string').waitFor()
    await field('Model mapping').fill('{"alpha": "a-1"}')
    // The question hangs on saving, by whichever way; whoever closes it goes on typing.
    const question = page.getByRole('dialog', { name: 'a base URL ending in /v1 is usually wrong; continue?' })
    await field('API address').press('Control+Enter')
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    expect(site.inputs('channels.create')).toEqual([])
    await submit.click()
    await question.getByRole('button', { name: 'Remove /v1' }).click()
    await page.getByText('channel created').waitFor()
    await page.waitForURL('**/channel')
    expect(site.inputs('channels.create')).toMatchObject([
      {
        name: 'Mine',
        type: 1,
        key: 'sk-upstream',
        base_url: 'https://example.test',
        models: 'alpha,beta',
        group: 'default',
        model_mapping: '{"alpha": "a-1"}',
        auto_ban: 1,
        tag: '',
      },
    ])
  })
})

it('opens the panel of a channel by its address and keeps a key that is not typed', async () => {
  await site.visit('/channel/edit/7', { storage }, async (page) => {
    const name = page.getByLabel('Name', { exact: true }).last()
    await expect.poll(() => name.inputValue()).toBe('OpenAI main')
    await name.fill('Renamed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('channel updated').waitFor()
    const [sent] = site.inputs('channels.update')
    expect(sent).toMatchObject({ id: 7, name: 'Renamed', models: 'gpt-4o,gpt-4o-mini' })
    expect(sent).not.toHaveProperty('key')
  })
})

it('says everywhere that a sandbox is a sandbox, and asks no key of it', async () => {
  await site.visit('/channel/add', { storage }, async (page) => {
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Sandbox' }).click()
    await page.getByText('This is a sandbox', { exact: false }).waitFor()
    await page.getByLabel('Name', { exact: true }).last().fill('Practice 2')
    await page.getByRole('button', { name: 'Create channel' }).click()
    await page.getByText('channel created').waitFor()
    expect(site.inputs('channels.create')).toMatchObject([{ type: 1001, models: 'sandbox-echo' }])
  })
})

it('searches, sorts by id, hides columns, and deletes after a yes', async () => {
  await site.visit('/channel', { storage }, async (page) => {
    await page.getByText('OpenAI main').waitFor()
    await page.getByRole('switch', { name: 'Sort by ID' }).click()
    await expect.poll(() => site.inputs('channels.list').at(-1)).toMatchObject({ id_sort: 'true' })
    await expect.poll(() => page.evaluate(() => localStorage.getItem('id-sort'))).toBe('true')
    await page.getByRole('button', { name: 'Column settings' }).click()
    await page.getByRole('dialog').getByText('Groups').click()
    await page.getByRole('button', { name: 'OK', exact: true }).click()
    await expect.poll(() => page.getByRole('columnheader', { name: 'Groups' }).count()).toBe(0)
    await page.getByLabel('Keyword').fill('spare')
    await page.keyboard.press('Enter')
    await page.getByText('found spare').waitFor()
    await fromMenu(page, 'found spare', 'Delete')
    await sayYes(page, 'Delete')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('channel deleted').waitFor()
  })
})
