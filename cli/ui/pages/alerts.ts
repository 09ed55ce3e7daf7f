// Alert rules with their current state.
import type { RuleWithState } from '../../../core/alerts/alert.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { alertRuleView } from '../../nouns/alert.ts'
import { words } from '../../texts.ts'
import { declareUiPage, matchesFilter } from '../page.ts'

export const alertsPage = declareUiPage<RuleWithState>({
  name: 'alerts',
  title: words('Alerts'),
  view: alertRuleView,
  empty: words('No rules: `weir alerts add` adds one.'),
  every_ms: 5000,
  async load({ client }, filter) {
    const rows = (await client.alerts.list()).filter(({ name, kind, model, group }) =>
      matchesFilter(filter, name, kind, model, group),
    )
    return { rows, total: rows.length }
  },
  actions: [
    {
      key: 'd',
      name: words('disable/enable'),
      sure: ({ name, enabled }) =>
        enabled
          ? fillTemplate(words('Switch the rule “{name}” off?'), { name })
          : fillTemplate(words('Switch the rule “{name}” on?'), { name }),
      command: ({ id, enabled }) => ['alerts', 'edit', String(id), `--enabled=${enabled ? 'no' : 'yes'}`],
    },
    {
      key: 't',
      name: words('send a test'),
      detailed: true,
      sure: ({ name }) => fillTemplate(words('Send a test to all recipients of “{name}”?'), { name }),
      command: ({ id }) => ['alerts', 'test', String(id)],
    },
    {
      key: 'v',
      name: words('preview'),
      command: ({ id }) => ['alerts', 'preview', String(id)],
    },
    {
      key: 'h',
      name: words('history'),
      rowless: true,
      command: () => ['alerts', 'history'],
    },
    {
      key: 'x',
      name: words('delete'),
      sure: ({ name }) => fillTemplate(words('Delete the rule “{name}” with its alerts?'), { name }),
      command: ({ id }) => ['alerts', 'rm', '--yes', String(id)],
    },
  ],
  id: ({ id }) => id,
  copied: ({ name }) => name,
})
