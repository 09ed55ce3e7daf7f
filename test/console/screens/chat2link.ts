// The screen chat2link, for the walk, the pictures and axe. It only redirects.
import { screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({ walked: { path: '/chat2link', for: [] } })
