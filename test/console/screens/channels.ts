// The screen channels, for the walk, the pictures and axe.
import type { Page } from 'playwright-core'
import { fromMenu, press, screenFacts, selectTwo } from '../screen-facts.ts'

/** The panel of a new channel whose provider answers by itself, with a name. */
async function newSandbox(page: Page, name: string) {
  await page.goto(new URL('/channel/add', page.url()).href)
  const panel = page.getByRole('dialog')
  await panel.getByRole('combobox').first().click()
  await page.keyboard.type('Sandbox')
  await page.keyboard.press('Enter')
  await panel.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  return panel
}

/** Saves the panel. */
async function save(page: Page) {
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

export const facts = screenFacts({
  walked: {
    path: '/channel',
    for: ['admin', 'root'],
    shows: { name: /\w{4}/, state: /enabled|disabled|启用|禁用/, number: /untested|未测试|\d (ms|s)|\$\d/ },
    acts: {
      'create a channel': async (page) => {
        await newSandbox(page, 'walked')
        await save(page)
      },
      'test a channel before it is saved': async (page) => {
        const panel = await newSandbox(page, 'walked first')
        await panel.getByRole('button', { name: 'Test', exact: true }).click()
        await panel.getByRole('status').getByText('It answered in').waitFor()
      },
      'ask the provider of a new channel for its models': async (page) => {
        const panel = await newSandbox(page, 'walked models')
        await panel.getByRole('button', { name: 'Fetch model list' }).click()
        await page.getByRole('dialog').last().locator('.dialog-body > *').first().waitFor()
      },
      'manage the keys of a channel': async (page) => {
        const panel = await newSandbox(page, `walked keys ${Date.now()}`)
        await panel.getByLabel('Key', { exact: true }).last().fill('walked-1\nwalked-2')
        await panel.getByRole('combobox', { name: 'Several keys' }).selectOption('In one channel, in turn')
        await save(page)
        await page.goto(new URL('/channel?keyword=walked%20keys', page.url()).href)
        await fromMenu(page, 'Edit')
        await page.getByRole('button', { name: 'Manage keys' }).click()
        const keys = page.getByRole('dialog', { name: /^Keys of walked keys/ })
        await keys.getByRole('button', { name: /^Disable key 1 / }).click()
        await keys.getByText('2 keys, 1 off').waitFor()
        await keys.getByRole('textbox', { name: 'New keys' }).fill('walked-3')
        await keys.getByRole('button', { name: 'Add keys' }).click()
        await keys.getByText('3 keys, 1 off').waitFor()
      },
      'change all channels of a tag': async (page) => {
        await page.goto(new URL('/channel/tag/cheap', page.url()).href)
        await page.getByRole('dialog').getByRole('textbox', { name: 'Priority' }).fill('3')
        await save(page)
      },
      search: async (page) => {
        await page
          .getByLabel(/Keyword|Search/)
          .first()
          .fill('always')
        await page.keyboard.press('Enter')
        await page.waitForURL(/always/)
      },
      'tag several': async (page) => {
        await selectTwo(page)
        await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Set tag' }).click()
        await page.getByRole('dialog').getByRole('textbox').fill('walked together')
        await page.keyboard.press('Enter')
        await page.getByText('tagged').first().waitFor()
      },
      'delete several': async (page) => {
        await selectTwo(page)
        await page
          .getByRole('region', { name: 'Selected rows' })
          .getByRole('button', { name: /^Delete/ })
          .click()
        await page.getByRole('dialog').locator('.dialog-foot button').last().click()
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      },
    },
  },
  states: {
    channels: { path: '/channel' },
    'a new channel': { path: '/channel/add' },
    'a channel': { path: '/channel/edit/1' },
    'a new channel with its types': {
      path: '/channel/add',
      open: (page) => page.getByRole('dialog').getByRole('combobox').first().click(),
    },
    'column settings': { path: '/channel', wide: true, open: (page) => press(page, 'Column settings') },
    'channels by tag': { path: '/channel?tag_mode=true' },
    'the panel of a tag': { path: '/channel/tag/cheap' },
    "a provider's list": {
      path: '/channel',
      open: async (page) => {
        await fromMenu(page, 'Fetch models')
        await page.getByRole('dialog').locator('.dialog-body > *').first().waitFor()
      },
    },
    'models to test': {
      path: '/channel',
      open: async (page) => {
        await fromMenu(page, 'Test models and keys')
        await page.getByRole('dialog').locator('.matrix').waitFor()
      },
    },
  },
})
