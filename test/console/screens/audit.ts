// The screen audit, for the walk, the pictures and axe.
import { auditHandlers } from '../sample-users.ts'
import { admins, press, screenFacts } from '../screen-facts.ts'

export const facts = screenFacts({
  walked: {
    path: '/audit',
    for: admins,
    shows: { name: /\S(: |：)\S/, number: /\d\d-\d\d \d\d:\d\d/ },
  },
  states: {
    audit: { path: '/audit' },
    'a change': { path: '/audit', open: (page) => press(page, 'Details of {name}') },
  },
  handlers: auditHandlers,
})
