// The screen oauth, for the walk, the pictures and axe.
import { screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: { path: '/oauth/github', for: [], unasked: { 'auth.oauth': 'test/console/shell.test.ts' } },
})
