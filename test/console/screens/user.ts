// What the walk, the pictures and axe need of the page of one user.
import type { Page } from 'playwright-core'
import { admins, screenFacts } from '../screen-facts.ts'

const view = (tab: string) => ({
  path: `/user/3?tab=${tab}`,
  open: (page: Page) => page.getByRole('tabpanel').locator('table, .card, .empty, figure').first().waitFor(),
})

export const facts = screenFacts({
  walked: {
    path: '/user/4',
    for: admins,
    shows: { name: /linus|bob/, state: /activated|已激活/, number: /\$\d/ },
  },
  states: {
    'a user': view('spend'),
    "a user's tokens": view('tokens'),
    "a user's calls": view('log'),
    "a user's ledger": view('ledger'),
    "a user's top-ups": view('topups'),
    "a user's sign-in": view('access'),
    "a user's changes": view('audit'),
  },
})
