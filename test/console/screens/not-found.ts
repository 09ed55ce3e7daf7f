// The screen not-found, for the walk, the pictures and axe.
import { everybody, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: { path: '/nowhere', for: everybody },
  states: {
    'a page that is not there': { path: '/nowhere' },
  },
})
