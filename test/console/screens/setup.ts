// The screen setup, for the walk, the pictures and axe.
import { screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: { path: '/setup', for: ['nobody'], beforeSetup: true, unasked: { 'site.setup': 'test/e2e/journey.test.ts' } },
  states: {
    setup: { path: '/setup', who: 'nobody', beforeSetup: true },
  },
  handlers: () => ({
    'attention.firstSteps': () => ({
      data: { channels: 3, models: ['gpt-4o'], unpriced: [], tokens: 2, newest: 2, answered: true },
    }),
  }),
})
