// The screen route, for the walk, the pictures and axe.
import { screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/channel/route?model=sandbox-small',
    for: ['admin', 'root'],
    shows: { name: /always|Tier 1|第 1 层/, number: /\d%/ },
  },
  states: {
    'where calls go': {
      path: '/channel/route?model=sandbox-small',
      open: (page) => page.locator('main').getByText('%').first().waitFor(),
    },
  },
})
