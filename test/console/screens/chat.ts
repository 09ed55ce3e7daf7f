// The screen chat, for the walk, the pictures and axe.
import { everybody, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/chat',
    for: everybody,
    unasked: {
      'tokens.list': 'test/console/chat.long.test.ts: no chat is saved there',
      'tokens.get': 'test/console/chat.long.test.ts: no chat is saved there',
    },
  },
  states: {
    'no chat that is saved': { path: '/chat' },
  },
})
