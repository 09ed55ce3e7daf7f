// The screen tokens, for the walk, the pictures and axe.
import { button, field, fromMenu, key, people, press, said, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/token',
    for: people,
    shows: { name: /laptop/, state: /enabled|已启用/, number: /\$\d/ },
    acts: {
      'create a token': async (page) => {
        await button(page, 'Create token')
        await field(page, 'Name').fill('walked')
        await page.keyboard.press('Control+Enter')
        await page.getByText('walked').first().waitFor()
      },
      search: async (page) => {
        await page.getByLabel('Keyword').fill('laptop')
        await page.keyboard.press('Enter')
        await page.waitForURL(/keyword=laptop/)
      },
    },
  },
  states: {
    tokens: { path: '/token' },
    'a new token': { path: '/token', open: (page) => press(page, 'Create token') },
    'a view to save': {
      path: '/token?status=1',
      open: async (page) => {
        await press(page, 'Views')
        await page.getByRole('menuitem', { name: said('Save this view') }).click()
        await page.getByRole('dialog').waitFor()
      },
    },
    'the menu of a row': { path: '/token', wide: true, open: (page) => press(page, 'More for {name}') },
    'a question': { path: '/token', open: (page) => fromMenu(page, 'Delete') },
    'a client to connect': { path: '/token', open: (page) => fromMenu(page, 'Connect a client') },
    'several tokens at once': {
      path: '/token',
      wide: true,
      open: (page) => page.getByLabel(said('Select all on this page')).check(),
    },
    'the command palette': {
      path: '/token',
      open: async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: said('Find or do') }).fill('main')
        await page.getByRole('option', { name: /main/ }).first().waitFor()
      },
    },
    'the shortcuts': { path: '/token', open: (page) => key(page, '?', 'dt') },
    'the same in the terminal': { path: '/token', open: (page) => key(page, 't', 'code') },
  },
})
