// The screen about, for the walk, the pictures and axe.
import { everybody, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: { path: '/about', for: everybody },
  states: { about: { path: '/about', who: 'nobody' } },
  handlers: () => ({ 'site.about': () => ({ data: '' }) }),
})
