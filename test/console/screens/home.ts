// The screen home, for the walk, the pictures and axe.
import { everybody, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: { path: '/', for: everybody },
  states: {
    home: { path: '/' },
  },
})
