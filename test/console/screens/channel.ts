// What the walk, the pictures and axe need of the screen channel.
import type { Page } from 'playwright-core'
import { admins, screenFacts } from '../screen-facts.ts'

const view = (tab: string) => ({
  path: `/channel/1?tab=${tab}`,
  open: (page: Page) => page.getByRole('tabpanel').locator('table, .card, .empty, figure').first().waitFor(),
})

export const facts = screenFacts({
  walked: {
    path: '/channel/1',
    for: admins,
    shows: { name: /channel|main/, state: /enabled|已启用/i, number: /\d/ },
  },
  states: {
    "a channel's health": view('health'),
    "a channel's keys": view('keys'),
    "a channel's errors": view('errors'),
    "a channel's calls": view('calls'),
    "a channel's changes": view('changes'),
  },
})
