// `weir attention`: problems that need attention, each with the command that fixes it.
import { command } from '../command.ts'
import { attentionFindingView } from '../nouns/finding.ts'
import { words } from '../texts.ts'

export const attentionCommand = command({
  name: 'attention',
  readOnly: true,
  output: { view: attentionFindingView, many: true },
  summary: words('List what needs attention: channels, keys, prices, balances, each with its remedy'),
  details: words(
    'By the same rules as on the dashboard. Administrators see what is of the gateway, others what is theirs.',
  ),
  failsWhen: words('anything needs attention'),
  async run({ client, print, failed }) {
    const findings = await (await client()).attention.list()
    await print.list(findings, attentionFindingView, { empty: words('Nothing needs attention.') })
    if (findings.length > 0) failed()
  },
})
