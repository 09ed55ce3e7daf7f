// Changes that can be undone for some seconds: switches, priorities, and deletions, which are executed after that time.
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { conflictFieldNames } from '../../console/shell/conflict-fields.built.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { root, sampleHandlers, signedIn } from './sample-data.ts'
import { fromMenu, sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

const message = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text })

it('takes a switch and a priority back, by the button and by the key, in the order they were done', async () => {
  await site.visit('/channel', { storage, width: 1600 }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'OpenAI main' })
    await fromMenu(page, 'OpenAI main', 'Disable')
    const said = message(page, 'OpenAI main disabled')
    await expect.poll(() => said.getAttribute('role')).toBe('status')
    await said.getByRole('button', { name: 'Undo' }).click()
    await row.getByText('enabled', { exact: true }).waitFor()
    expect(site.inputs('channels.update')).toEqual([
      { id: 7, status: 2 },
      { id: 7, status: 1 },
    ])
    await expect.poll(() => said.count()).toBe(0)

    const priority = row.getByLabel('Priority OpenAI main')
    const before = Number(await priority.inputValue())
    await fromMenu(page, 'OpenAI main', 'Disable')
    await said.waitFor()
    await priority.fill('42')
    // Who is typing takes back what was typed.
    await page.keyboard.press('Control+z')
    await priority.fill('42')
    await page.keyboard.press('Enter')
    await message(page, 'OpenAI main changed').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => priority.inputValue()).toBe(String(before))
    await page.keyboard.press('Meta+z')
    await expect
      .poll(() => site.inputs('channels.update').slice(2))
      .toEqual([
        { id: 7, status: 2 },
        { id: 7, priority: 42 },
        { id: 7, priority: before },
        { id: 7, status: 1 },
      ])
    await page.keyboard.press('Control+z')
    expect(site.inputs('channels.update')).toHaveLength(6)
  })
})

it('deletes when the message is gone, not before; a row taken back was never away', async () => {
  await site.visit('/token', { storage }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    const remove = async () => {
      await fromMenu(page, 'laptop', 'Delete')
      await page.getByText('You can undo this for 8 seconds.').waitFor()
      await sayYes(page, 'Delete')
      await message(page, 'Deleting laptop').waitFor()
      await expect.poll(() => row.count()).toBe(0)
    }
    await remove()
    await message(page, 'Deleting laptop').getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
    expect(site.inputs('tokens.delete')).toEqual([])

    // A list that is read again in between does not show it.
    await remove()
    await page.getByRole('button', { name: 'Sort by Name' }).click()
    await expect.poll(() => site.inputs('tokens.list').length).toBe(2)
    await expect.poll(() => row.count()).toBe(0)
    expect(site.inputs('tokens.delete')).toEqual([])
    await message(page, 'Deleting laptop').getByRole('button', { name: 'Dismiss' }).click()
    await message(page, 'token deleted').waitFor()
    expect(site.inputs('tokens.delete')).toEqual([{ id: '2' }])
  })
})

it('puts a token that works out of use at once, and back with it', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await fromMenu(page, 'production', 'Delete')
    await sayYes(page, 'Delete')
    const said = message(page, 'Deleting production')
    await said.waitFor()
    const switched = { id: 3, status_only: 'true' }
    await expect.poll(() => site.inputs('tokens.update')).toMatchObject([{ ...switched, status: 2 }])
    await said.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('row').filter({ hasText: 'production' }).getByText('enabled', { exact: true }).waitFor()
    expect(site.inputs('tokens.update')).toMatchObject([
      { ...switched, status: 2 },
      { ...switched, status: 1 },
    ])
    expect(site.inputs('tokens.delete')).toEqual([])
  })
})

it('deletes when the page is left, and shows the row again where the server refuses', async () => {
  await site.visit('/token', { storage, expected: /500/ }, async (page) => {
    site.server.use({ 'tokens.delete': () => ({ refuse: 'it is held', status: 500 }) })
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    await fromMenu(page, 'laptop', 'Delete')
    await sayYes(page, 'Delete')
    await message(page, 'Deleting laptop').getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('alert').waitFor()
    await row.waitFor()

    await fromMenu(page, 'laptop', 'Delete')
    await sayYes(page, 'Delete')
    await message(page, 'Deleting laptop').waitFor()
    await page.goto('about:blank')
    await expect.poll(() => site.inputs('tokens.delete')).toHaveLength(2)
  })
})

// Each panel that sends back the version that it has read.
const panels = [
  { path: '/token', row: 'laptop', update: 'tokens.update', get: 'tokens.get' },
  { path: '/channel', row: 'OpenAI main', update: 'channels.update', get: 'channels.get' },
] as const

it.each(panels)('asks whose values stand where somebody else has saved $path meanwhile', async (panel) => {
  const read = sampleHandlers()[panel.get]!
  const data = (input: Record<string, unknown>) => (read(input) as { data: Record<string, unknown> }).data
  let version = 3
  site.server.use({
    [panel.get]: (input) => ({ data: { ...data(input), version, name: version > 50 ? 'named by Bob' : panel.row } }),
    [panel.update]: (input) =>
      input['version'] === version
        ? { data: { ...data(input), ...input } }
        : { refuse: 'It has been changed since (the last change on record is by bob)', code: 'edit.conflict' },
  })
  await site.visit(panel.path, { storage, width: 1600 }, async (page) => {
    const edit = page.getByRole('row').filter({ hasText: panel.row }).getByRole('button', { name: 'Edit' })
    const open = () => (panel.path === '/token' ? edit.click() : fromMenu(page, panel.row, 'Edit'))
    const asked = page.getByRole('dialog', { name: 'Another user has saved this in the meantime' })
    const name = page.getByRole('textbox', { name: 'Name', exact: true }).last()
    await open()
    await name.fill('named by me')
    version = 77
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await asked.getByText('It has been changed since (the last change on record is by bob)').waitFor()
    const cells = asked.getByRole('row').filter({ hasText: 'Name' }).getByRole('cell')
    await expect.poll(() => cells.allInnerTexts()).toEqual(['named by Bob', 'named by me'])
    // What was typed stays, and nothing is said twice.
    await asked.getByRole('button', { name: 'Go on editing' }).click()
    await expect.poll(() => name.inputValue()).toBe('named by me')
    await expect.poll(() => page.locator('.toast').count()).toBe(0)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await asked.getByRole('button', { name: 'Overwrite with my version' }).click()
    await name.waitFor({ state: 'hidden' })
    expect(site.inputs(panel.update).at(-1)).toMatchObject({ name: 'named by me', version: 77 })
    expect(site.inputs(panel.update)).toHaveLength(3)

    await page.reload()
    await open()
    await name.fill('named by me')
    version = 78
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await asked.getByRole('button', { name: 'Use their version' }).click()
    await message(page, "the other user's version stays").waitFor()
    await name.waitFor({ state: 'hidden' })
    expect(site.inputs(panel.update)).toHaveLength(4)
  })
})

it('has words for the fields of everything that is saved by version', () => {
  const saved = [...endpointsByName].filter(([, { body }]) => body && 'version' in body.shape).map(([name]) => name)
  expect(Object.keys(conflictFieldNames).sort()).toEqual(saved.sort())
  expect(JSON.stringify(conflictFieldNames)).not.toMatch(/"(key|password|client_secret)"/)
})
