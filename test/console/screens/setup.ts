// The screen setup, for the walk, the pictures and axe.
import { screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: { path: '/setup', for: ['nobody'], beforeSetup: true, unasked: { 'site.setup': 'test/e2e/journey.test.ts' } },
  states: {
    setup: { path: '/setup', who: 'nobody', beforeSetup: true },
  },
})
