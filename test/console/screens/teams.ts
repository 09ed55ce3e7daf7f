// What the walk, the pictures and axe need of the screen teams.
import { people, press, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/teams',
    for: people,
    shows: { name: /team/, number: /\$\d/ },
  },
  states: {
    teams: { path: '/teams' },
    'a new team': { path: '/teams', open: (page) => press(page, 'Add team') },
  },
})
