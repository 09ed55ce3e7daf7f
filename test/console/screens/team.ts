// What the walk, the pictures and axe need of the screen team.
import { people, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/teams/1001',
    for: people,
    unasked: {
      'teams.accept': 'nobody of the walk is invited: teams.test.ts is',
    },
  },
  states: {
    'a team': { path: '/teams/1001' },
    "a team's page of tokens": { path: '/teams/1001?tab=tokens' },
  },
})
