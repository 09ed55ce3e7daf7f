// The items that need attention. It is the first page, because they are the reason to open the screen.
import type { AttentionFinding } from '../../../core/attention/contract.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { attentionFindingView, describeFinding, getRepairCommand } from '../../nouns/finding.ts'
import { words } from '../../texts.ts'
import { splitCommandLine } from '../command-line.ts'
import { declareUiPage, matchesFilter } from '../page.ts'

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
