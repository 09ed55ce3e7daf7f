// What the walk, the pictures and axe need of the screen chat2link: it is only passed through.
import { screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({ walked: { path: '/chat2link', for: [] } })
