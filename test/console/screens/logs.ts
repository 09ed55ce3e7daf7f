// The screen logs, for the walk, the pictures and axe.
import { button, people, press, said, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/log?span=month',
    for: people,
    shows: { name: /sandbox|model/, state: /consum|error|消费|错误/i, number: /\$\d/ },
    acts: {
      'follow the log': async (page) => {
        await button(page, 'Live')
        await page.locator('.live-bar').getByText('Live', { exact: true }).waitFor()
        await button(page, 'Pause')
        await page.locator('.live-bar').getByText('Paused').waitFor()
      },
      'find the calls of a model': async (page) => {
        await button(page, 'Model name')
        await page.keyboard.type('gpt-4o-mini')
        await page.keyboard.press('Enter')
        await page.waitForURL(/model_name=gpt-4o-mini/)
      },
    },
  },
  states: {
    log: { path: '/log?span=month' },
    'a filter of the log': { path: '/log?span=month', wide: true, open: (page) => press(page, 'Model name') },
    'a row of the log': { path: '/log?span=month', open: (page) => press(page, 'Details of {name}') },
    'a call of the log': {
      path: '/log?span=month',
      open: async (page) => {
        await press(page, 'More for {name}')
        await page.getByRole('menuitem', { name: said('Open') }).click()
        await page.getByText(said('Admitted')).waitFor()
      },
    },
  },
})
