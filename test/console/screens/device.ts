// The screen device, for the walk, the pictures and axe.
import { people, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/device',
    for: people,
    acts: {
      'look at what a code asks for': async (page) => {
        await page.getByRole('textbox').fill('BCDF-GHJK')
        await page.keyboard.press('Enter')
      },
    },
    unasked: { 'devices.answer': 'test/console/home-setup.long.test.ts' },
  },
  states: {
    device: { path: '/device' },
  },
})
