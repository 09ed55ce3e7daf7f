// What the walk, the pictures and axe need of the screen channels.
import { fromMenu, press, screenFacts, selectTwo } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/channel',
    for: ['admin', 'root'],
    shows: { name: /\w{4}/, state: /enabled|disabled|启用|禁用/, number: /untested|未测试|\d (ms|s)|\$\d/ },
    acts: {
      'create a channel': async (page) => {
        await page.goto(new URL('/channel/add', page.url()).href)
        const panel = page.getByRole('dialog')
        await panel.getByRole('combobox').first().click()
        await page.keyboard.type('Sandbox')
        await page.keyboard.press('Enter')
        await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('walked')
        await page.keyboard.press('Control+Enter')
        await panel.waitFor({ state: 'hidden' })
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
