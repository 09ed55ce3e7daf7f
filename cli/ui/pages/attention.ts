// The items that need attention, which are the first page because they are the reason to open the screen, and the alert
// rules, which report such items elsewhere.
import type { RuleWithState } from '../../../core/alerts/alert.ts'
import type { AttentionFinding } from '../../../core/attention/contract.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { alertRulePatch } from '../../input/forms.built.ts'
import { alertRuleView } from '../../nouns/alert.ts'
import { buildFieldQuestions, formatFieldFlags } from '../../nouns/field-questions.ts'
import { attentionFindingView, describeFinding, getRepairCommand } from '../../nouns/finding.ts'
import { words } from '../../texts.ts'
import { splitCommandLine } from '../command-line.ts'
import { appendFlags, declareUiPage, matchesFilter } from '../page.ts'

/** The words of the remedy after `weir`. */
const listRemedyWords = (finding: AttentionFinding): string[] =>
  splitCommandLine(getRepairCommand(finding).replace(/^weir /, ''))

export const attentionPage = declareUiPage<AttentionFinding>({
  name: 'attention',
  title: words('Attention'),
  view: attentionFindingView,
  empty: words('Nothing needs attention.'),
  every_ms: 5000,
  async load({ client, money }, filter) {
    const found = await client.attention.list()
    const rows = found.filter((one) => matchesFilter(filter, describeFinding(one, money).en, one.name, one.reason))
    return { rows, total: rows.length }
  },
  actions: [
    {
      key: 'x',
      name: words('run the remedy'),
      detailed: true,
      sure: (finding) => fillTemplate(words('Run `{command}`?'), { command: getRepairCommand(finding) }),
      command: listRemedyWords,
    },
    {
      key: 'l',
      name: words('calls of the channel'),
      unless: ({ id }) => (id > 0 ? undefined : words('This is not about a channel.')),
      opensPage: true,
      command: ({ id }) => ['calls', `channel:${id}`],
    },
  ],
  id: ({ kind, id, name }) => `${kind} ${id} ${name}`,
  copied: getRepairCommand,
})

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
      key: 'e',
      name: words('edit'),
      edits: true,
      form: (row, { money }) => buildFieldQuestions(alertRulePatch, row, { without: ['id', 'version'], money }),
      sure: ({ name }) => fillTemplate(words('Save the changes of “{name}”?'), { name }),
      command: ({ id }, _, changed) =>
        appendFlags(['alerts', 'edit', String(id)], formatFieldFlags(alertRulePatch, changed)),
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
