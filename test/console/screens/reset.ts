// The screen reset, for the walk, the pictures and axe.
import { field, screenFacts } from '../screen-facts.ts'

const LINK = '/user/reset?email=ada%40example.com&token=not-one'

export const facts = screenFacts({
  walked: {
    path: '/reset',
    for: ['nobody'],
    acts: {
      'ask for a link': async (page) => {
        await field(page, 'Email').fill('ada@example.com')
        await page.keyboard.press('Enter')
      },
      'follow a link': async (page) => {
        await page.goto(new URL(LINK, page.url()).href)
        await page.getByRole('button', { name: 'Get new password' }).click()
      },
    },
  },
  states: {
    'asking for a link': { path: '/reset', who: 'nobody' },
    'a link that was followed': { path: LINK, who: 'nobody' },
  },
  handlers: () => ({
    'auth.resetRequest': () => ({ data: null }),
    'auth.reset': () => ({ data: 'Kx81mfGh2wQz' }),
  }),
})
