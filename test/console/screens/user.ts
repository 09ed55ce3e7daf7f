// The page of one user, for the walk, the pictures and axe.
import type { Page } from 'playwright-core'
import { admins, button, screenFacts } from '../screen-facts.ts'

const view = (tab: string) => ({
  path: `/user/3?tab=${tab}`,
  open: (page: Page) => page.getByRole('tabpanel').locator('table, .card, .empty, figure').first().waitFor(),
})

const sayYes = async (page: Page) => {
  await page.getByRole('dialog').locator('.dialog-foot button').last().click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

export const facts = screenFacts({
  walked: {
    path: '/user/4',
    for: admins,
    shows: { name: /linus|bob/, state: /activated|已激活/, number: /\$\d/ },
    acts: {
      'end the sessions of a user': async (page) => {
        await page.goto(new URL('/user/3?tab=access', page.url()).href)
        await button(page, 'Sign out everywhere')
        await sayYes(page)
      },
      'disable a token of a user, and delete it': async (page) => {
        await page.goto(new URL('/user/3?tab=tokens', page.url()).href)
        await button(page, /^Disable/)
        await button(page, /^More for laptop/)
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await sayYes(page)
      },
      'export and forget a user': async (page) => {
        await page.goto(new URL('/user?keyword=adafriend', page.url()).href)
        await page.getByRole('link', { name: 'adafriend' }).first().click()
        await button(page, 'More')
        await page.getByRole('menuitem', { name: 'Export data' }).click()
        await button(page, 'More')
        const forget = page.getByRole('menuitem', { name: 'Forget' })
        // It is for the super administrator.
        if ((await forget.count()) === 0) return
        await forget.click()
        await sayYes(page)
        await page.waitForURL(/\/user$/)
      },
    },
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
