// The list of channels beyond single rows: tags, actions on several channels, and a provider's list of models.
import { expect, it } from 'vitest'
import { channel } from './sample-channels.ts'
import { listed, root, signedIn } from './sample-data.ts'
import { fromMenu, sayYes, useConsole, setFilter } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

const LOST = { serving: 1, lost: [{ group: 'default', models: ['gpt-4o', 'gpt-4o-mini', 'o3'] }] }

it('names the models that lose their only channel before one is switched off or deleted, and takes both back', async () => {
  site.server.use({ 'channels.consequences': () => ({ data: LOST }) })
  await site.visit('/channel', { storage }, async (page) => {
    await fromMenu(page, 'OpenAI main', 'Disable')
    const dialog = page.getByRole('dialog', { name: 'Disable OpenAI main?' })
    await dialog.getByText('3 models lose their only channel in the group default: gpt-4o, gpt-4o-mini, o3.').waitFor()
    await sayYes(page, 'Cancel')
    expect(site.inputs('channels.update')).toEqual([])
    await fromMenu(page, 'OpenAI main', 'Disable')
    await sayYes(page, 'Disable')
    await page.getByRole('row').filter({ hasText: 'OpenAI main' }).getByText('manually disabled').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => site.inputs('channels.update').at(-1)).toEqual({ id: 7, status: 1 })
    await fromMenu(page, 'OpenAI main', 'Delete')
    await page.getByRole('dialog').getByText('3 models lose their only channel', { exact: false }).waitFor()
    await sayYes(page, 'Delete')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('OpenAI main').waitFor()
    expect(site.inputs('channels.delete')).toEqual([])
  })
})

it('groups channels by tag, opens them, and changes those of a tag at once', async () => {
  const blue = [
    channel(1, { name: 'one', tag: 'blue', weight: 5 }),
    channel(2, { name: 'two', tag: 'blue', status: 2 }),
  ]
  site.server.use({ 'channels.list': () => listed([...blue, channel(3, { name: 'alone' })], 2) })
  await site.visit('/channel', { storage, width: 1600 }, async (page) => {
    await page.getByLabel('Tag mode').last().click()
    await expect.poll(() => site.inputs('channels.list').at(-1)).toMatchObject({ tag_mode: 'true' })
    expect(page.url()).toContain('tag_mode=true')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('enable-tag-mode'))).toBe('true')
    const row = page.getByRole('row').filter({ hasText: 'Tag: blue' })
    await page.getByRole('row').filter({ hasText: 'No tag' }).waitFor()
    await expect.poll(() => page.getByText('one', { exact: true }).count()).toBe(0)
    await page.getByText('Items 1 - 2 of 2').waitFor()
    await row.getByRole('button', { name: 'Channels of blue' }).click()
    await page.getByText('one', { exact: true }).waitFor()
    await expect.poll(() => row.getByLabel('Weight blue').inputValue()).toBe('')
    await row.getByLabel('Priority blue').fill('7')
    await row.getByLabel('Priority blue').press('Enter')
    await page.getByText('Set the priority of all sub-channels to 7?').waitFor()
    await sayYes(page, 'Set')
    await expect.poll(() => site.inputs('channels.updateTag')).toEqual([{ tag: 'blue', priority: 7 }])
    await fromMenu(page, 'blue', 'Disable all')
    await page.getByText('blue: 2 channels disabled').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect
      .poll(() => site.inputs('channels.switchMany'))
      .toEqual([
        { ids: [1], status: 1 },
        { ids: [2], status: 2 },
      ])
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.waitForURL('**/channel/tag/blue?*')
    const panel = page.getByRole('dialog', { name: 'Edit tag' })
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('No changes!').waitFor()
    await panel.getByLabel('Tag name').last().fill('green')
    site.server.use({
      'channels.search': () => ({
        data: [
          channel(1, { tag: 'blue', model_mapping: '', weight: 4 }),
          channel(2, { tag: 'blue', model_mapping: '{"a":"b"}', weight: 0 }),
        ],
      }),
    })
    await panel.getByRole('button', { name: 'Clear mapping' }).click()
    await panel.getByLabel('Weight').last().fill('3')
    for (const [name, value] of [
      ['Models', 'o3'],
      ['Models to add', 'gpt-5'],
      ['Groups', 'svip'],
    ] as const) {
      await panel.getByRole('combobox', { name, exact: true }).fill(value)
      await page.keyboard.press('Enter')
    }
    await page.keyboard.press('Escape')
    await panel.getByLabel('Default test model').last().fill('gpt-5')
    await panel.getByRole('combobox', { name: 'Auto-disable' }).selectOption('0')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('tag updated').waitFor()
    expect(site.inputs('channels.updateTag').at(-1)).toMatchObject({
      ...{ tag: 'blue', new_tag: 'green', model_mapping: '{}', weight: 3, priority: null },
      ...{ models: 'o3', add_models: 'gpt-5', groups: 'svip', test_model: 'gpt-5', auto_ban: 0 },
    })
    await page.locator('.toast').filter({ hasText: 'tag updated' }).getByRole('button', { name: 'Undo' }).click()
    const before = { models: 'gpt-4o,gpt-4o-mini', group: 'default,vip' }
    await expect
      .poll(() => site.inputs('channels.update').slice(-2))
      .toEqual([
        { id: 1, ...before, model_mapping: '', weight: 4, tag: 'blue', test_model: '', auto_ban: 1 },
        { id: 2, ...before, model_mapping: '{"a":"b"}', weight: 0, tag: 'blue', test_model: '', auto_ban: 1 },
      ])
  })
})

it('does to several at once what is chosen, and says first that something has to be', async () => {
  await site.visit('/channel', { storage, width: 1600 }, async (page) => {
    const fromBatch = async (entry: string) => {
      await page.getByRole('button', { name: 'Batch operations' }).click()
      await page.getByRole('menuitem', { name: entry, exact: true }).click()
    }
    await page.getByText('OpenAI main').waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Select OpenAI main' }).count()).toBe(0)
    await page.getByLabel('Batch mode').last().click()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('enable-batch-delete'))).toBe('true')
    await fromBatch('Delete selected')
    await page.getByText('Please select channels to delete first!').waitFor()
    await fromBatch('Set tag')
    await page.getByText('Please select channels to tag first!').waitFor()
    const choose = () => page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const bulk = (name: string) =>
      page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name, exact: true })
    await choose()
    await bulk('Set tag').click()
    await page.getByRole('dialog').getByText('4 selected').waitFor()
    await sayYes(page, 'Set tag')
    await page.getByText('Tag cannot be empty!').waitFor()
    await page.getByRole('dialog').getByLabel('Tag').last().fill('all')
    await page.keyboard.press('Enter')
    await page.getByText('4 channels tagged').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect
      .poll(() => site.inputs('channels.tagMany'))
      .toEqual([
        { ids: [7, 6, 5, 4], tag: 'all' },
        { ids: [7, 5, 4], tag: null },
        { ids: [6], tag: 'cheap' },
      ])
    await choose()
    await bulk('Test').click()
    await page.getByText('4 of 4 channels passed').waitFor()
    await bulk('Copy IDs').click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('7,6,5,4')
    await bulk('Disable').click()
    await page.getByText('4 channels disabled').waitFor()
    expect(site.inputs('channels.switchMany')).toEqual([{ ids: [7, 6, 5, 4], status: 2 }])
    await choose()
    await bulk('Delete selected').click()
    await sayYes(page, 'Delete')
    await page.getByText('Deleting 4 channels…').waitFor()
  })
})

it('does to all what the page offers, each after a yes', async () => {
  await site.visit('/channel', { storage, width: 1600 }, async (page) => {
    for (const [entry, yes, said] of [
      ['Test all channels', 'Continue', 'testing of all enabled channels started, refresh to see results'],
      ['Update all balances', 'Continue', 'balances of all enabled channels updated'],
      ['Repair consistency', 'Continue', '1 channels repaired'],
      ['Delete disabled channels', 'Delete', 'all disabled channels deleted, 2 in total'],
    ] as const) {
      await page.getByRole('button', { name: 'Batch operations' }).click()
      await page.getByRole('menuitem', { name: entry, exact: true }).click()
      await sayYes(page, yes)
      if (entry === 'Delete disabled channels') {
        const deleting = page.locator('.toast').filter({ hasText: 'Deleting 2 channels' })
        await deleting.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('row').filter({ hasText: 'Practice' }).waitFor()
        expect(site.inputs('channels.deleteMany')).toEqual([])
        await page.getByRole('button', { name: 'Batch operations' }).click()
        await page.getByRole('menuitem', { name: entry, exact: true }).click()
        await sayYes(page, yes)
        await deleting.getByRole('button', { name: 'Dismiss' }).click()
      }
      await page.getByText(said).waitFor()
    }
    expect(site.inputs('channels.deleteMany')).toEqual([{ ids: [4, 5] }])
    const row = page.getByRole('row').filter({ hasText: 'OpenAI main' })
    await row.getByRole('button', { name: 'Ask for the balance of OpenAI main' }).click()
    await row.getByText('$12.50').waitFor()
    await fromMenu(page, 'OpenAI main', 'Copy')
    await page.getByText(/^Copy channel .+ with all its settings\?$/).waitFor()
    await sayYes(page, 'Copy')
    await page.getByText('channel copied').waitFor()
    // Only those on the page are asked about.
    expect(site.inputs('channels.health')[0]).toEqual({ ids: '7,6,5,4' })
  })
})

it("shows a provider's list beside the channel's: what is new, gone and kept", async () => {
  await site.visit('/channel', { storage }, async (page) => {
    await fromMenu(page, 'OpenAI main', 'Fetch models')
    const dialog = page.getByRole('dialog', { name: 'Models of OpenAI main' })
    const part = (name: string) => dialog.getByRole('region', { name })
    await part('New').getByText('gpt-5-mini').waitFor()
    await part('Kept').getByText('gpt-4o', { exact: true }).waitFor()
    await part('No longer listed').getByText('gpt-4o-mini').click()
    await dialog.getByLabel('Filter models').fill('mini')
    await part('New').getByRole('button', { name: 'Choose all' }).click()
    await expect.poll(() => part('New').getByRole('checkbox').count()).toBe(1)
    await dialog.getByText('2 models: 1 added, 1 removed').waitFor()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => site.inputs('channels.update')).toEqual([{ id: 7, models: 'gpt-4o,gpt-5-mini' }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => site.inputs('channels.update').at(-1)).toEqual({ id: 7, models: 'gpt-4o,gpt-4o-mini' })
    site.server.use({ 'channels.fetchModels': () => ({ refuse: 'Failed to fetch model list' }) })
    await fromMenu(page, 'DeepSeek', 'Fetch models')
    await page.getByRole('dialog').getByRole('paragraph').filter({ hasText: 'Failed to fetch model list' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  })
})

it('shows where calls go, who is skipped and why, a clock for who cools down, and what if one were off', async () => {
  const key = { fingerprint: '', on: true, reason: '', cooldown_until: 0 }
  const cooldown_until = Math.floor(Date.now() / 1000) + 90
  const first = { id: 7, name: 'OpenAI main', tier: 1, priority: 10, weight: 5, serves: true, keys: [key] }
  const second = { ...first, id: 6, name: 'Azure', taken: true, reason: 'first', share: 1, tier_share: 1 }
  const channels = [
    { ...first, taken: true, reason: 'first', share: 0.25, tier_share: 0.25 },
    { ...second, share: 0.75, tier_share: 0.75 },
    { ...first, id: 5, name: 'Tired', tier: 2, priority: 0, reason: 'cooling', keys: [{ ...key, cooldown_until }] },
    { ...first, id: 4, name: 'Short', tier: 2, serves: false, reason: 'prompt_too_long', max_input_tokens: 8000 },
  ]
  const explained = { model: 'gpt-4o', group: 'default', attempts: 3, fallbacks: [{ model: 'o3', channels: 2 }] }
  const off = [second, { ...first, tier: 0, serves: false, reason: 'left_out' }]
  site.server.use({
    'channels.modelsEnabled': () => ({ data: ['gpt-4o', 'o3'] }),
    'channels.route': ({ without, model }) => ({
      data: { ...explained, model, channels: without ? off : model === 'o3' ? [] : channels },
    }),
  })
  await site.visit('/channel', { storage }, async (page) => {
    await fromMenu(page, 'OpenAI main', 'Route of its calls')
    await page.waitForURL('**/channel/route?model=gpt-4o&group=default')
    const part = (name: string) => page.getByRole('region', { name })
    await part('Tier 1').getByText('25%').waitFor()
    await part('Tier 2')
      .getByText(/next try in 1:[23]\d/)
      .waitFor()
    await part('Skipped').getByText('accepts prompts of at most 8000 tokens').waitFor()
    await page.getByLabel('Prompt tokens').last().fill('12000')
    await page.getByLabel('Prompt tokens').last().press('Enter')
    await page.waitForURL('**prompt=12000')
    await page.getByRole('button', { name: 'What if it were disabled? OpenAI main' }).click()
    await page.waitForURL('**without=7')
    await part('Skipped').getByText('left out here').waitFor()
    await part('Tier 1').getByText('was 75%').waitFor()
    const asked = { model: 'gpt-4o', group: 'default', prompt_tokens: '12000' }
    expect(site.inputs('channels.route').filter(({ without }) => without)).toEqual([{ ...asked, without: '7' }])
    await page.getByRole('button', { name: 'Put back', exact: true }).click()
    await page.getByRole('button', { name: 'o3: 2 channels' }).click()
    await page.getByText('No channel serves o3 to the group default.').waitFor()
  })
})

it('narrows the list down by chips that the server answers, keeps them in the address and as a view', async () => {
  await site.visit('/channel', { storage, width: 1600 }, async (page) => {
    await setFilter(page, 'Status', 'Automatically disabled')
    await setFilter(page, 'Type', 'OpenAI')
    await setFilter(page, 'Group', 'vip')
    const asked = { status: '3', type: '1', group: 'vip' }
    await expect.poll(() => site.inputs('channels.list').at(-1)).toMatchObject(asked)
    expect(page.url()).toMatch(/status=3.*type=1.*group=vip/)
    expect(site.inputs('channels.search')).toEqual([])
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('broken')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => page.url()).not.toContain('status=')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitemradio', { name: 'broken' }).click()
    await expect.poll(() => page.url()).toContain('status=3')
    // Words are looked for among those.
    await page.getByRole('textbox', { name: 'Keyword' }).fill('main')
    await page.keyboard.press('Enter')
    await expect.poll(() => site.inputs('channels.search').at(-1)).toMatchObject({ ...asked, keyword: 'main' })
  })
})
