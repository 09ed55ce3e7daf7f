// `weir attention`: problems that need attention, each with the command that fixes it.
import { command } from '../command.ts'
import { attentionFindingView } from '../nouns/finding.ts'
import { words } from '../texts.ts'

export const attentionCommand = command({
  name: 'attention',
  readOnly: true,
  output: { view: attentionFindingView, many: true },
  summary: words('Items that need attention: channels, keys, prices, balances, each with its remedy'),
  details: words(
    'By the same rules as on the dashboard. Administrators see what is of the gateway, others what is theirs.',
  ),
  async run({ client, print }) {
    const weir = await client()
    await print.list(await weir.attention.list(), attentionFindingView, {
      empty: words('Nothing needs attention.'),
    })
  },
})
