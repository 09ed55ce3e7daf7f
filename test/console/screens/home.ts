// What the walk, the pictures and axe need of the screen home.
import { everybody, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: { path: '/', for: everybody },
  states: {
    home: { path: '/' },
  },
})
