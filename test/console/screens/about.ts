// What the walk, the pictures and axe need of the screen about.
import { everybody, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: { path: '/about', for: everybody },
  states: { about: { path: '/about', who: 'nobody' } },
  handlers: () => ({ 'site.about': () => ({ data: '' }) }),
})
