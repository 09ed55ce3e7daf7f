// The keys of a channel: managed in its panel, and tested with its models.
import { expect, it } from 'vitest'
import { channel } from './sample-channels.ts'
import { NOW, root, signedIn } from './sample-data.ts'
import { listed } from './samples.ts'
import { fromMenu, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

const KEYS = Array.from({ length: 1000 }, (_, index) => ({
  ...{ place: index + 1, key: `sk-***${index + 1}`, fingerprint: `print-${index + 1}`, on: index !== 1 },
  reason: index === 1 ? 'status code 401: bad' : '',
  ...(index === 0 ? { used_at: NOW, last_error: { at: NOW, status: 500, error: 'out of order' } } : {}),
}))
const MODELS = Array.from({ length: 50 }, (_, index) => `model-${index + 1}`)

it('manages the keys of a channel: finds, switches, adds, and takes out those that are off', async () => {
  const off = { on: false, since: NOW }
  let keys: object[] = Array.from({ length: 1000 }, (_, index) => ({
    ...{
      place: index + 1,
      key: `sk-***${index + 1}`,
      fingerprint: `print-${index + 1}`,
      on: true,
      reason: '',
      since: 0,
    },
    ...(index === 4 ? { ...off, reason: 'Incorrect API key' } : index === 6 ? off : {}),
  }))
  let version = 3
  const told = (changed: number) => ({ data: keys, beside: { changed } })
  site.server.use({
    'channels.get': ({ id }) => ({ data: channel(Number(id), { name: 'OpenAI main', key_mode: 'turn', version }) }),
    'channels.keys': () => ({ data: keys }),
    'channels.addKeys': () => ((version = 4), told(2)),
    'channels.manageKeys': ({ keys: prints, action }) => {
      const isMeant = (key: object) => (prints as string[]).includes((key as { fingerprint: string }).fingerprint)
      if (action === 'remove') keys = keys.filter((key) => !isMeant(key))
      else keys = keys.map((key) => (isMeant(key) ? { ...key, on: action === 'enable', reason: '', since: 0 } : key))
      return told((prints as string[]).length)
    },
  })
  await site.visit('/channel/edit/7', { storage }, async (page) => {
    await page.getByLabel('Name', { exact: true }).last().fill('Renamed')
    await page.getByRole('button', { name: 'Manage keys' }).click()
    const dialog = page.getByRole('dialog', { name: 'Keys of OpenAI main' })
    await dialog.getByText('1,000 keys, 2 disabled').waitFor()
    const rows = dialog.getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(20)
    await expect.poll(() => rows.nth(4).innerText()).toMatch(/Disabled automatically[^]*ago[^]*Incorrect API key/)
    await dialog.getByRole('button', { name: 'Page 50' }).click()
    await rows.filter({ hasText: 'sk-***1000' }).waitFor()
    await dialog.getByLabel('Search by first or last characters').fill('incorrect')
    await dialog.getByRole('button', { name: 'Enable key 5 sk-***5' }).click()
    await dialog.getByText('1,000 keys, 1 disabled').waitFor()
    await dialog.getByLabel('Search by first or last characters').fill('')
    await dialog.getByRole('button', { name: 'Disable key 1 sk-***1' }).click()
    await dialog.getByText('1,000 keys, 2 disabled').waitFor()
    await dialog.getByLabel('State').selectOption('disabled manually')
    await expect.poll(() => rows.count()).toBe(2)
    await dialog.getByRole('button', { name: 'Remove all disabled keys' }).click()
    const question = page.getByRole('dialog', { name: 'Remove the 2 disabled keys?' })
    await question.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.getByText('998 keys, 0 disabled').waitFor()
    await dialog.getByRole('textbox', { name: 'New keys' }).fill('sk-a\nsk-b')
    await dialog.getByRole('button', { name: 'Add keys' }).click()
    await page.getByText('2 keys added').waitFor()
    expect(site.inputs('channels.manageKeys')).toMatchObject([
      { keys: ['print-5'], action: 'enable', version: 3 },
      { keys: ['print-1'], action: 'disable', version: 3 },
      { keys: ['print-1', 'print-7'], action: 'remove', version: 3 },
    ])
    expect(site.inputs('channels.addKeys')).toMatchObject([{ key: 'sk-a\nsk-b' }])
    await dialog.getByRole('button', { name: 'Done' }).click()
    // What was typed is still there, and is saved over the version that the keys made.
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('channel updated').waitFor()
    expect(site.inputs('channels.update')).toMatchObject([{ id: 7, name: 'Renamed', key_mode: 'turn', version: 4 }])
  })
})

it('tests models by keys: a cell, a row, a column, the failed again; stops, and switches on what works', async () => {
  let held = true
  site.server.use({
    'channels.list': () => listed([channel(7, { name: 'OpenAI main', models: MODELS.join(',') })]),
    'channels.keys': () => ({ data: KEYS }),
    'channels.test': ({ key, model }) =>
      key === 'print-3' && held
        ? { refuse: 'status code 429: slow down', code: 'channel.test_failed', beside: { time: 0, kind: 'limit' } }
        : model === 'model-9'
          ? { refuse: 'too many', status: 429 }
          : { data: null, beside: { time: 0.5 } },
    'channels.manageKeys': () => ({
      data: KEYS.map((key) => ({ ...key, on: true, reason: '' })),
      beside: { changed: 1 },
    }),
  })
  const asked = () => site.inputs('channels.test').map(({ model, key }) => `${String(model)} ${String(key)}`)
  await site.visit('/channel', { storage, expected: /429/ }, async (page) => {
    await fromMenu(page, 'OpenAI main', 'Test models and keys')
    const dialog = page.getByRole('dialog', { name: 'Test OpenAI main' })
    await dialog.getByRole('button', { name: 'Test all 50,000' }).waitFor()
    // 20 models with 5 keys: what there is more is on other pages.
    await expect.poll(() => dialog.locator('.matrix-cell').count()).toBe(100)
    const cell = (model: string, place: number) =>
      dialog.getByRole('button', { name: new RegExp(`^${model}, key ${place} `) })
    await cell('model-2', 2).focus()
    await page.keyboard.press('Enter')
    await cell('model-2', 2).getByText('500 ms').waitFor()
    // What a test has found good is switched on where it is seen.
    await dialog.getByText('disabled automatically').waitFor()
    await dialog.getByRole('button', { name: 'Enable the working key 2 sk-***2' }).click()
    await page.getByText('Key sk-***2 enabled').waitFor()
    expect(site.inputs('channels.manageKeys')).toMatchObject([{ keys: ['print-2'], action: 'enable' }])
    await cell('model-2', 2).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('model-3, key 3')
    await dialog.getByLabel('Search models').fill('model-1')
    await dialog.getByRole('button', { name: 'Test every model with key 3 sk-***3' }).click()
    await dialog.getByText('12 of 12 tested, 11 failed').waitFor()
    await cell('model-1', 3).getByText('status code 429: slow down').waitFor()
    await dialog.getByRole('listitem').getByText('the provider limits its calls', { exact: false }).waitFor()
    // Failures stand in their cells, and nowhere else.
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    held = false
    await dialog.getByRole('button', { name: 'Test the failed ones again' }).click()
    await dialog.getByText('12 of 12 tested, 0 failed').waitFor()
    await dialog.getByRole('button', { name: 'Next keys' }).click()
    await dialog.getByText('Keys 6 - 10 of 1,000').waitFor()
    await dialog.getByLabel('Search keys').fill('sk-***99')
    await dialog.getByRole('button', { name: 'Test model-10 with every key' }).click()
    await dialog.getByText('23 of 23 tested, 0 failed').waitFor()
    expect(asked().slice(-11)).toContain('model-10 print-999')
    // The server itself takes no more: it waits, and can be stopped.
    await dialog.getByLabel('Search models').fill('model-9')
    await dialog.getByRole('button', { name: 'Test model-9 with every key' }).click()
    await dialog.getByText('The server is busy', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await dialog.getByText('23 of 23 tested, 0 failed').waitFor()
    await dialog.getByLabel('Search models').fill('')
    await dialog.getByLabel('Search keys').fill('')
    await dialog.getByRole('button', { name: 'Test all 50,000' }).click()
    await page.getByRole('dialog', { name: 'Send 50,000 small calls?' }).getByRole('button', { name: 'Cancel' }).click()
  })
})

it('says of a key when it was used last and by what it failed', async () => {
  site.server.use({ 'channels.keys': () => ({ data: KEYS }) })
  await site.visit('/channel/edit/7', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Manage keys' }).click()
    const rows = page.getByRole('dialog', { name: 'Keys of OpenAI main' }).getByRole('listitem')
    await rows.first().getByText('last used, to the hour:').waitFor()
    await rows.first().getByText('out of order').waitFor()
    await expect.poll(() => rows.nth(2).innerText()).toContain('not used in the last week')
  })
})
