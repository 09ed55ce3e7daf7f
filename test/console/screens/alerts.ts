// The screen alerts, for the walk, the pictures and axe.
import type { RuleWithState } from '../../../core/alerts/alert.ts'
import { NOW, type Sample } from '../samples.ts'
import { admins, button, field, press, screenFacts } from '../screen-facts.ts'

const rule = (id: number, change: Partial<RuleWithState> = {}): Sample<RuleWithState, 'id'> => ({
  ...{ id, name: 'Errors', kind: 'error_rate', enabled: true, threshold: 20, minutes: 60, least: 20, model: '' },
  ...{ channel: 0, group: '', root: true, mails: 'ops@example.com', webhook_url: '', language: 'both' },
  ...{ quiet_minutes: 240, created_time: NOW, version: 1, has_secret: false, alerts: [], unknown: '' },
  ...change,
})

const lasting = {
  ...{ id: 1, rule_id: 2, subject: 'host:/data', began_at: NOW - 600, ended_at: 0, value: 4, worst: 3 },
  ...{ told: 'begun' as const, told_at: NOW - 600, failure: '' },
}

const rules = [
  rule(1),
  rule(2, { name: 'Disk', kind: 'disk', threshold: 10, alerts: [lasting] }),
  rule(3, { name: 'Certificate', kind: 'certificate', threshold: 14, unknown: 'no_certificate' }),
  rule(4, { name: 'Spend', kind: 'spend', threshold: 100, enabled: false }),
]

export const facts = screenFacts({
  walked: {
    path: '/alerts',
    for: admins,
    acts: {
      'add a rule': async (page) => {
        await button(page, 'Add rule')
        await field(page, 'Name').fill('Walked')
        await page.keyboard.press('Control+Enter')
        await page.getByText('Walked').first().waitFor()
      },
    },
  },
  states: {
    alerts: { path: '/alerts' },
    'a new rule': { path: '/alerts', open: (page) => press(page, 'Add rule') },
  },
  handlers: () => ({
    'alerts.list': () => ({ data: rules }),
    'alerts.create': (form) => ({ data: rule(9, form as Partial<RuleWithState>) }),
    'alerts.update': ({ id, ...change }) => ({ data: rule(Number(id), change as Partial<RuleWithState>) }),
    'alerts.delete': () => ({ data: null }),
    'alerts.test': () => ({ data: { told: 2, failure: '' } }),
    'alerts.preview': () => ({
      data: {
        ...{ from: NOW - 604_800, to: NOW, known_from: NOW - 604_800, times: 1, worst: 35 },
        fired: [{ subject: '', from: NOW - 7200, to: NOW - 3600, worst: 35 }],
      },
    }),
  }),
})
