// The screen keys, for the walk, the pictures and axe.
import { people, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/keys',
    for: people,
    shows: { name: /sk-/ },
  },
  states: {
    'the page of a key': {
      path: '/keys',
      open: (page) => page.locator('.connect-key').waitFor(),
    },
  },
})
