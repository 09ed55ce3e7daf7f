// The screen teams, for the walk, the pictures and axe.
import type { Page } from 'playwright-core'
import { people, press, said, screenFacts } from '../screen-facts.ts'

const unfolded = (tab: string) => async (page: Page) => {
  await press(page, 'Details of {name}')
  await page.getByRole('tab', { name: said(tab) }).click()
  await page.getByRole('tabpanel').locator('table, .card, .empty, figure').first().waitFor()
}

export const facts = screenFacts({
  walked: {
    path: '/teams',
    for: people,
    shows: { name: /team/, number: /\$\d/ },
    acts: {
      'top up a team': async (page) => {
        await press(page, 'Details of {name}')
        for (const from of ['My own balance', 'Granted, as an administrator']) {
          await press(page, 'Top up')
          const panel = page.getByRole('dialog')
          const way = panel.getByText(from, { exact: true })
          if (await way.count()) await way.click()
          await panel.getByLabel('Amount').last().fill('1000')
          await page.keyboard.press('Control+Enter')
          await panel.waitFor({ state: 'hidden' })
        }
      },
    },
    unasked: {
      'teams.accept': 'nobody of the walk is invited: teams.long.test.ts is',
      'teams.decline': 'nobody of the walk is invited: teams.long.test.ts is',
      'teams.withdraw': 'nobody of the walk is invited: teams.long.test.ts is',
      'logs.explain': 'no call of the walk was made with the key of a team',
      'logs.explainSelf': 'no call of the walk was made with the key of a team',
    },
  },
  states: {
    teams: { path: '/teams' },
    'a new team': { path: '/teams', open: (page) => press(page, 'Add team') },
    "a team's spend": { path: '/teams', open: unfolded('Spend by member') },
    "a team's tokens": { path: '/teams', open: unfolded('Tokens') },
    "a team's calls": { path: '/teams', open: unfolded('Calls') },
  },
})
