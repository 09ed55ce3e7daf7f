// The screen users, for the walk, the pictures and axe.
import { userHandlers } from '../sample-users.ts'
import { admins, fromMenu, press, said, screenFacts, selectTwo } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/user',
    for: admins,
    shows: { name: /ada|grace|\w{3}/, state: /activated|已激活/, number: /\$\d/ },
    acts: {
      'add a user': async (page) => {
        await page.goto(new URL('/user/edit', page.url()).href)
        const panel = page.getByRole('dialog')
        await panel.getByRole('textbox', { name: 'Username' }).fill('walked')
        await panel.getByLabel('Password', { exact: true }).last().fill('a good password')
        await page.keyboard.press('Control+Enter')
        await panel.waitFor({ state: 'hidden' })
      },
      search: async (page) => {
        await page.getByLabel('Keyword').fill('ada')
        await page.keyboard.press('Enter')
        await page.waitForURL(/keyword=ada/)
      },
    },
  },
  states: {
    users: { path: '/user' },
    'a new user': { path: '/user/edit' },
    'a user to change': {
      path: '/user/edit/3',
      open: (page) => page.getByRole('dialog').getByText('LinuxDO').waitFor(),
    },
    'a balance to change': { path: '/user', open: (page) => fromMenu(page, 'Add quota') },
    'a group for several users': {
      path: '/user',
      wide: true,
      open: async (page) => {
        await selectTwo(page)
        await press(page, 'Change group')
        await page
          .getByRole('dialog')
          .getByRole('combobox', { name: said('Group') })
          .waitFor()
      },
    },
  },
  handlers: userHandlers,
})
