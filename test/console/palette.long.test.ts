// The command palette and the shortcuts: search results and actions, by role, and the list of keys.
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { reader, root, signedIn } from './sample-data.ts'
import { fromMenu, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

const field = (page: Page) => page.getByRole('dialog').getByRole('combobox')
const option = (page: Page, name: string) => page.getByRole('dialog').getByRole('option', { name }).first()

it('finds things through the server, and leads to them', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByText('production').waitFor()
    await page.keyboard.press('Control+k')
    await field(page).fill('main')
    for (const name of ['OpenAI main', 'main production', 'maine']) await option(page, name).waitFor()
    await option(page, 'OpenAI main').click()
    await page.waitForURL('**/channel/edit/7')
    // Its title names the channel once it has been loaded: a key before that would count as a change of it.
    await page.getByRole('dialog', { name: 'Edit channel OpenAI main' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Find or do' }).click()
    await field(page).fill('req-1')
    await option(page, 'gpt-4o').click()
    await page.waitForURL('**/log/req-1')
    expect(site.inputs('search.find').map(({ text }) => text)).toEqual(['main', 'req-1'])
  })
})

it('does what screens declare: at once, on a thing that is asked for, or on the page it leads to', async () => {
  await site.visit('/log', { storage }, async (page) => {
    const take = async (typed: string) => {
      await page.keyboard.press('Meta+k')
      await field(page).fill(typed)
      await page
        .locator('.palette-item[aria-selected=true]')
        .filter({ hasText: new RegExp(typed, 'i') })
        .waitFor()
      await page.keyboard.press('Enter')
    }
    await page.getByRole('heading', { name: 'Usage log' }).waitFor()
    await take('switch to dark')
    await expect.poll(() => page.evaluate(() => document.body.getAttribute('theme-mode'))).toBe('dark')
    await take('disable a')
    await page.getByPlaceholder('Choose one (Channels)').fill('main')
    await option(page, 'OpenAI main').waitFor()
    await expect.poll(() => page.getByRole('dialog').getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page
      .locator('.toast')
      .filter({ hasText: 'OpenAI main disabled' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await expect
      .poll(() => site.inputs('channels.update'))
      .toEqual([
        { id: 7, status: 2 },
        { id: 7, status: 1 },
      ])
    await take('log of a user')
    await field(page).fill('maine')
    await option(page, 'maine').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/log\?username=maine/)
    await take('create token')
    await page.waitForURL(/\/token/)
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  })
})

it('names what goes with a channel before it is switched off', async () => {
  await site.visit('/log', { storage }, async (page) => {
    await page.getByRole('heading', { name: 'Usage log' }).waitFor()
    site.server.use({
      'channels.consequences': () => ({ data: { serving: 0, lost: [{ group: 'default', models: ['gpt-4o'] }] } }),
    })
    const disable = async () => {
      await page.keyboard.press('Control+k')
      await field(page).fill('disable a')
      await option(page, 'Disable a channel').waitFor()
      await page.keyboard.press('Enter')
      await page.getByPlaceholder('Choose one (Channels)').fill('main')
      await option(page, 'OpenAI main').waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('1 model loses its only channel in the group default: gpt-4o.').waitFor()
    }
    await disable()
    await page.keyboard.press('Escape')
    await disable()
    expect(site.inputs('channels.update')).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => site.inputs('channels.update')).toEqual([{ id: 7, status: 2 }])
  })
})

it('offers nobody what their role may not do', async () => {
  const offered = async (page: Page, typed: string) => {
    await page.keyboard.press('Control+k')
    await field(page).fill(typed)
    await page.getByRole('dialog').getByRole('option').first().or(page.getByText('Nothing found')).waitFor()
    const names = await page.getByRole('dialog').getByRole('option').allInnerTexts()
    await page.keyboard.press('Escape')
    return names
  }
  await site.visit('/token', { storage: signedIn(reader) }, async (page) => {
    await page.getByText('production').waitFor()
    await expect.poll(() => offered(page, 'create')).toEqual(['Create access token', 'Create token'])
    await expect.poll(() => offered(page, 'channels')).toEqual([])
  })
  await site.visit('/', {}, async (page) => {
    await page.getByRole('link', { name: 'Home' }).first().waitFor()
    expect(await offered(page, 'log')).not.toContain('Log out')
  })
})

it('goes by keys, never while somebody types, and lists every key that it knows', async () => {
  await site.visit('/token', { storage, width: 1280 }, async (page) => {
    await page.getByText('production').waitFor()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.locator('dt').first().waitFor()
    const shown = await list.locator('dt').allInnerTexts()
    const keys = shown.map((each) => each.replace(/\s+/g, ' '))
    expect(keys.filter((each) => !each.startsWith('g '))).toEqual([
      'Ctrl K',
      '?',
      't',
      '/',
      'n',
      'j',
      'k',
      'Enter',
      'x',
      '.',
      'Esc',
      'Ctrl Enter',
      'Ctrl Z',
    ])
    expect(keys).toEqual(expect.arrayContaining(['g c', 'g t', 'g l', 'g h']))
    expect(new Set(keys).size).toBe(keys.length)
    await page.keyboard.press('Escape')

    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: 'laptop' }).getByRole('checkbox').isChecked())
      .toBe(true)
    await page.keyboard.press('k')
    await page.keyboard.press('.')
    await page.getByRole('menu', { name: 'More for production' }).waitFor()
    await page.keyboard.press('Escape')

    await page.keyboard.press('/')
    await page.keyboard.type('gcn?')
    await expect.poll(() => page.getByLabel('Keyword').inputValue()).toBe('gcn?')
    await page.getByRole('heading', { name: 'API tokens' }).click()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForURL('**/channel')
  })
})

it('says as command lines what the page has read and changed', async () => {
  await site.visit('/token?keyword=prod', { storage }, async (page) => {
    await page.getByText('found prod').waitFor()
    await page.getByRole('button', { name: 'The same in the terminal' }).click()
    const shown = page.getByRole('dialog', { name: 'The same in the terminal' }).locator('code')
    await shown.first().waitFor()
    await expect.poll(() => shown.allInnerTexts()).toContain('weir tokens ls --search prod --limit 10')
    await page.keyboard.press('Escape')
    await fromMenu(page, 'found prod', 'Disable')
    await page.locator('.toast').waitFor()
    await page.keyboard.press('t')
    await shown.getByText('weir tokens disable 9').waitFor()
    await page.getByRole('button', { name: /^Copy weir tokens disable/ }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('weir tokens disable 9')
  })
})
